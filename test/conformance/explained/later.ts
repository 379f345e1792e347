import type { Explained } from '../explain.ts'

/** Clients from 1.23 on. */
export const later: readonly Explained[] = []
