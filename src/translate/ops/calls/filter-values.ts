import { asJson, isObject, type JsonValue, writeJson } from '../../../api/json/json.ts'

/** The values of each filter, as `filters` has them in either form: a list, or since 1.22 a map to booleans. */
export type Filters = Map<string, string[]>

interface Parsed {
  readonly filters: Filters
  readonly form: 'list' | 'map'
}

function valuesOf(value: JsonValue | undefined, form: Parsed['form']): string[] | undefined {
  if (value === null) return []
  if (form === 'list')
    return Array.isArray(value) && value.every((one) => typeof one === 'string')
      ? value.map((one) => one.toWellFormed())
      : undefined
  return isObject(value) && Object.values(value).every((one) => one === true) ? Object.keys(value) : undefined
}

/**
 * Undefined without filters, and in forms of which a part would get lost, so that a prune removed more: what Docker refuses,
 * and maps to false, of which Docker looks at the keys for some filters and at the values for others.
 */
function parse(text: string | null): Parsed | undefined {
  const given = text === null || text === '' ? undefined : asJson(text)
  if (!isObject(given)) return undefined
  const form = Object.values(given).some(Array.isArray) ? 'list' : 'map'
  const filters: Filters = new Map()
  for (const [key, value] of Object.entries(given)) {
    const values = valuesOf(value, form)
    if (values === undefined) return undefined
    filters.set(key, values)
  }
  return { filters, form }
}

/** Whether a call has filters in a form of which a part would get lost. */
export function hasUnclearFilters(query: URLSearchParams): boolean {
  const text = query.get('filters') ?? ''
  return text !== '' && parse(text) === undefined
}

/** The filters of a call; empty where it has none. */
export const readFilters = (query: URLSearchParams): Filters => parse(query.get('filters'))?.filters ?? new Map()

/** Edits the filters of a call; they keep their form, or get the given one. Removes the parameter if none is left. */
export function editFilters(query: URLSearchParams, edit: (filters: Filters) => void, form?: Parsed['form']): void {
  const text = query.get('filters') ?? ''
  const parsed = parse(text)
  if (parsed === undefined && text !== '') return // not ours to mend
  const filters: Filters = parsed?.filters ?? new Map()
  const before = JSON.stringify([...filters])
  edit(filters)
  const wanted = form ?? parsed?.form ?? 'map'
  if (wanted === parsed?.form && JSON.stringify([...filters]) === before) return
  const spelled = [...filters].map(([key, values]): [string, JsonValue] => [
    key,
    wanted === 'list' ? values : Object.fromEntries(values.map((value) => [value, true])),
  ])
  if (filters.size === 0) query.delete('filters')
  else query.set('filters', writeJson(Object.fromEntries(spelled)))
}

/** Removes a filter from a call; returns its values, or undefined if the call did not have it. */
export function takeFilter(query: URLSearchParams, key: string): string[] | undefined {
  const values = readFilters(query).get(key)
  if (values !== undefined) editFilters(query, (filters) => filters.delete(key))
  return values
}
