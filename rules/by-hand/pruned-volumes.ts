import { takeFilter } from '../../src/translate/ops/calls/filter-values.ts'

/** Removes the filter `all`, which the engine does not know; true if it asks for volumes with names, too. */
export function takesAllVolumes(query: URLSearchParams): boolean {
  const [all = '', ...others] = takeFilter(query, 'all') ?? []
  return ['true', '1'].includes(all) && others.length === 0
}
