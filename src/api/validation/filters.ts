import { isObject, type JsonValue } from '../json/json.ts'
import { readAsGo } from '../json/read.ts'
import { type ApiVersion, isNewer, isOlder } from '../version.ts'
import { LAST_SPECIFIED } from './finding.ts'
import { anything, atVersion, each, type Kind, type Kinds, kind, since } from './kinds.ts'

/** Since engine 1.10 (recordings 1.6.2 … 1.9.1, list-filter-label-map: 500); 20.10 accepts it with every prefix. */
const MAP_FORM_FROM = 22

/** A JSON object of filters. Keys and values are closed sets up to the last specified version. */
const filters =
  (keys: Kinds): Kind =>
  (given, field, say, version) => {
    if (given === '') return // no filter, on every engine
    const found = readAsGo(String(given)).value // bytes after the first value are ignored
    if (!isObject(found)) return say(field, 'must be a JSON object')
    for (const [key, value] of Object.entries(found)) {
      const known = Object.hasOwn(keys, key) ? keys[key] : undefined
      for (const rule of new Set(brokenRules(value ?? null, known, version))) say(`${field}.${key}`, rule)
    }
  }

function brokenRules(value: JsonValue, known: Kind | undefined, version: ApiVersion): string[] {
  const rules: string[] = []
  if (isObject(value) && isOlder(version, MAP_FORM_FROM))
    rules.push(`must be a list of strings (a map from API 1.${MAP_FORM_FROM} on)`)
  const values = isObject(value) ? Object.keys(value) : value
  if (!Array.isArray(values) || (isObject(value) && Object.values(value).some((one) => typeof one !== 'boolean')))
    return [...rules, 'must be a list of strings, or a map of strings to true']
  if (isNewer(version, LAST_SPECIFIED)) return rules
  if (known === undefined) return [...rules, 'is not a filter of this operation']
  for (const one of values)
    if (typeof one === 'string') known(one, '', (_, rule) => rules.push(rule), version)
    else rules.push('must hold strings')
  return rules
}

const oneOf = (values: readonly string[]): Kind =>
  kind(`must be one of ${values.join(', ')}`, (value) => values.some((one) => one === value))
const number = kind('must be a number', (value) => /^-?\d+$/.test(String(value)))
const boolean = oneOf(['true', 'false', '1', '0'])
/** A filter from `first` on; an empty value filters too. */
const from = (first: number, later: Kind): Kind => since(first, later, () => false, 'filter')

const STATES = ['restarting', 'running', 'paused', 'exited']
const states = atVersion({
  '1.18': oneOf(STATES),
  '1.20': oneOf([...STATES, 'created']),
  '1.22': oneOf([...STATES, 'created', 'dead']),
})

/** Keys in the specification, and those it omits but engines of that version know. */
export const containerFilters = filters({
  exited: number,
  status: states,
  isolation: from(22, oneOf(['default', 'process', 'hyperv'])),
  ...each('label id name', anything), // id: daemon/list.go @v1.6.2, as `name`
  ancestor: from(21, anything), // 1.21/filter-ancestor
  ...each('before since volume', from(22, anything)), // 1.22/filters-before-since
})
export const eventFilters = filters({
  ...each('container event image', anything),
  label: from(21, anything),
  type: from(22, oneOf(['container', 'image', 'volume', 'network'])),
  ...each('volume network', from(22, anything)),
})
export const imageFilters = filters({ dangling: boolean, label: anything, reference: from(25, anything) })
export const volumeFilters = filters({ dangling: from(21, boolean) })
export const networkFilters = filters({
  ...each('name id', from(21, anything)),
  type: from(22, oneOf(['custom', 'builtin'])),
})
