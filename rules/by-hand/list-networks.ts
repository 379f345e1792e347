import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/** The list of engines from 1.22 on shows each container's networks; before that it would take an inspect for each. */
export function takeNetworkFilter({ query }: RequestMessage, context: StepContext): void {
  if (!readFilters(query).has('network')) return
  if (context.engine.highest < 22) throw new ProxyError('loss', "Invalid filter 'network'")
  editFilters(query, (filters) => filters.delete('network'))
  // A limit counts what the filter leaves, and shows stopped containers as well.
  if (limitOf(query) === undefined) return
  query.delete('limit')
  query.set('all', '1')
}

function limitOf(query: URLSearchParams): number | undefined {
  const limit = Number(query.get('limit') ?? 0)
  return limit > 0 ? limit : undefined
}

const isIn = (container: JsonValue, wanted: readonly string[]): boolean => {
  const settings = isObject(container) ? container['NetworkSettings'] : undefined
  const networks = isObject(settings) && isObject(settings['Networks']) ? settings['Networks'] : {}
  return Object.entries(networks).some(([name, endpoint]) => {
    const id = isObject(endpoint) && typeof endpoint['NetworkID'] === 'string' ? endpoint['NetworkID'] : ''
    return wanted.some((value) => value === name || (value !== '' && id.startsWith(value)))
  })
}

export function byNetwork(message: ResponseMessage, { call }: StepContext): void {
  const wanted = readFilters(call.query).get('network')
  if (wanted === undefined || !Array.isArray(message.body)) return
  message.body = message.body.filter((container) => isIn(container, wanted)).slice(0, limitOf(call.query))
}
