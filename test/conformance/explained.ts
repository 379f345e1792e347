import type { Explained } from './explain.ts'

export const explained: readonly Explained[] = []
