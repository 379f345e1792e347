import { takeFilter } from '../../src/translate/ops/calls/filter-values.ts'

/** Whether the values of the filter `all` ask for volumes with names, too. Engines refuse several values. */
export const meansAll = ([value = '', ...others]: readonly string[]): boolean =>
  ['true', '1'].includes(value) && others.length === 0

/** Removes the filter `all`, which the engine does not know; true if it asks for volumes with names, too. */
export const takesAllVolumes = (query: URLSearchParams): boolean => meansAll(takeFilter(query, 'all') ?? [])
