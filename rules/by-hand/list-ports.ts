import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { takeFilter } from '../../src/translate/ops/calls/filter-values.ts'

const NOTE = 'list.ports'

/** `80`, `80-90`, `80/udp` as `{ low, high, type }` (daemon/list.go:portOp). */
function portRange(filter: string, value: string): JsonValue {
  if (value.includes(':')) throw new ProxyError('validation', `filter for '${filter}' should not contain ':': ${value}`)
  const [ports = '', type = 'tcp'] = value.split('/')
  const [low = '', high = low] = ports.split('-')
  if (!/^\d+$/.test(low) || !/^\d+$/.test(high))
    throw new ProxyError('validation', `error while looking up for ${value}`)
  return { low: Number(low), high: Number(high), type }
}

/** Takes the filters that an older engine refuses out of the call; `limit` counts what is left after them. */
export function takePortFilters({ query }: RequestMessage, context: StepContext): void {
  const published = takeFilter(query, 'publish')
  const exposed = takeFilter(query, 'expose')
  if (published === undefined && exposed === undefined) return
  const limit = Number(query.get('limit') ?? 0)
  context.memory.set(NOTE, {
    PublicPort: (published ?? []).map((value) => portRange('publish', value)),
    PrivatePort: (exposed ?? []).map((value) => portRange('expose', value)),
    limit,
  })
  if (!(limit > 0)) return
  query.delete('limit')
  query.set('all', '1')
}

/** Keeps the containers with one of the ports asked for, published or exposed (daemon/list.go:includeContainerInList). */
export function applyPortFilters(message: ResponseMessage, { memory }: StepContext): void {
  const note = memory.get(NOTE)
  if (!isObject(note) || !Array.isArray(message.body)) return
  const kept = message.body.filter(
    (item) =>
      isObject(item) &&
      Array.isArray(item['Ports']) &&
      item['Ports'].some((port) => hasPort(port, 'PublicPort', note) || hasPort(port, 'PrivatePort', note)),
  )
  const limit = note['limit']
  message.body = typeof limit === 'number' && limit > 0 ? kept.slice(0, limit) : kept
}

function hasPort(
  port: JsonValue,
  member: 'PublicPort' | 'PrivatePort',
  note: { [name: string]: JsonValue | undefined },
) {
  const ranges = note[member]
  if (!isObject(port) || !Array.isArray(ranges)) return false
  const number = typeof port[member] === 'number' ? port[member] : 0
  return ranges.some(
    (range) =>
      isObject(range) &&
      range['type'] === port['Type'] &&
      number >= Number(range['low']) &&
      number <= Number(range['high']),
  )
}
