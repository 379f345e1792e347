import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue, stringOf } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { readFilters, writeFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { isPredefined } from '../by-hand/endpoints.ts'

const NOTE = '1.22/networks-filters'

/** Removes the filters from the call and remembers them: the bridge applies them to the whole list. */
function note({ query }: RequestMessage, { memory }: StepContext): string[] {
  const filters = readFilters(query)
  memory.set(NOTE, Object.fromEntries(filters))
  writeFilters(query, new Map())
  return [...filters.keys()]
}

function keep(
  message: ResponseMessage,
  { memory }: StepContext,
  wanted: (network: JsonObject, filters: JsonObject) => boolean,
): void {
  const filters = memory.get(NOTE)
  if (!isObject(filters) || !Array.isArray(message.body)) return
  message.body = message.body.filter((network) => isObject(network) && wanted(network, filters))
}

const some = (values: JsonValue | undefined, matches: (value: string) => boolean): boolean =>
  Array.isArray(values) && values.some((value) => matches(stringOf(value)))

export function noteOldFilters(message: RequestMessage, context: StepContext): void {
  note(message, context)
}

/**
 * Engine 1.9 compares whole names and id prefixes, shows networks that match either filter, and ignores other filters.
 * Source: api/server/router/network/network_routes.go:getNetworksList @v1.9.1.
 */
export function keepAs19(message: ResponseMessage, context: StepContext): void {
  keep(message, context, (network, { name, id }) => {
    if (name === undefined && id === undefined) return true
    return (
      some(name, (value) => value === stringOf(network['Name'])) ||
      some(id, (value) => stringOf(network['Id']).startsWith(value))
    )
  })
}

/** Engine 1.10 refuses unknown filters; so does the bridge when it filters instead of the engine. */
export function noteNewFilters(message: RequestMessage, context: StepContext): void {
  const types = readFilters(message.query).get('type') ?? []
  for (const key of note(message, context)) {
    if (!['name', 'id', 'type'].includes(key)) throw new ProxyError('bad-request', `Invalid filter '${key}'`)
  }
  for (const type of types) {
    if (type !== 'custom' && type !== 'builtin') throw new ProxyError('bad-request', `Invalid filter: 'type'='${type}'`)
  }
}

/** Parts of names and id prefixes, and all filters must match; source: api/server/router/network/filter.go @v1.10.3. */
export function keepAs110(message: ResponseMessage, context: StepContext): void {
  keep(message, context, (network, { name, id, type }) => {
    const kind = isPredefined(network['Name']) ? 'builtin' : 'custom'
    return (
      (name === undefined || some(name, (value) => stringOf(network['Name']).includes(value))) &&
      (id === undefined || some(id, (value) => stringOf(network['Id']).startsWith(value))) &&
      (type === undefined || some(type, (value) => value === kind))
    )
  })
}
