import { isObject } from '../json/json.ts'
import { readAsGo } from '../json/read.ts'
import { type ApiVersion, isNewer, isOlder } from '../version.ts'
import type { Finding } from './finding.ts'
import { AND_LATER } from './finding.ts'
import { LAST_SPECIFIED } from './kinds.ts'

/** One filter key: its first version and its allowed values. */
export interface FilterKey {
  readonly since: number
  readonly values?: (version: ApiVersion) => readonly string[] | RegExp
}

export type FilterKeys = Readonly<Record<string, FilterKey>>

/** Since engine 1.10 (recordings 1.6.2 … 1.9.1, list-filter-label-map: 500); 20.10 accepts it with every prefix. */
const MAP_FORM_FROM = 22

export interface Broken extends Pick<Finding, 'rule'> {
  readonly key: string | undefined
}

/** Problems of a `filters` parameter. Keys and values are closed sets up to the last specified version. */
export function checkFilters(text: string, keys: FilterKeys, version: ApiVersion): Broken[] {
  if (text === '') return [] // no filter, on every engine
  const filters = readAsGo(text).value // bytes after the first value are ignored
  if (!isObject(filters)) return [{ key: undefined, rule: 'must be a JSON object' }]
  return Object.entries(filters).flatMap(([key, value]) => checkKey(key, value, keys[key], version))
}

function checkKey(key: string, value: unknown, known: FilterKey | undefined, version: ApiVersion): Broken[] {
  const found: Broken[] = []
  const say = (rule: string): number => found.push({ key, rule })
  if (isObject(value) && isOlder(version, MAP_FORM_FROM)) {
    say(`must be a list of strings (a map from API 1.${MAP_FORM_FROM} on)`)
  }
  const values = isObject(value) ? Object.keys(value) : Array.isArray(value) ? value : undefined
  if (values === undefined || (isObject(value) && Object.values(value).some((one) => typeof one !== 'boolean'))) {
    say('must be a list of strings, or a map of strings to true')
    return found
  }
  if (isNewer(version, LAST_SPECIFIED)) return found
  if (known === undefined) say('is no filter here')
  else if (isOlder(version, known.since)) say(`is a filter of API 1.${known.since}${AND_LATER}`)
  else for (const one of values) checkValue(one, known, version, say)
  return found
}

function checkValue(value: unknown, known: FilterKey, version: ApiVersion, say: (rule: string) => number): void {
  const allowed = known.values?.(version)
  if (typeof value !== 'string') say('must hold strings')
  else if (allowed instanceof RegExp) {
    if (!allowed.test(value)) say('must be a number')
  } else if (allowed !== undefined && !allowed.includes(value)) say(`must be one of ${allowed.join(', ')}`)
}
