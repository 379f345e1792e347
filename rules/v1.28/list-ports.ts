import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, listOf } from '../../src/api/json/json.ts'
import type { Filters } from '../../src/translate/ops/calls/filter-values.ts'

const MEMBERS = { publish: 'PublicPort', expose: 'PrivatePort' }

/** `80`, `80-90`, `80/udp`. */
function portRange(filter: string, value: string): { low: number; high: number; type: string } {
  if (value.includes(':')) throw new ProxyError('validation', `filter for '${filter}' should not contain ':': ${value}`)
  const [ports = '', type = 'tcp'] = value.split('/')
  const [low = '', high = low] = ports.split('-')
  if (!/^\d+$/.test(low) || !/^\d+$/.test(high))
    throw new ProxyError('validation', `error while looking up for ${value}`)
  return { low: Number(low), high: Number(high), type }
}

/** The ports that filters ask for; refuses invalid filters as engines do. */
export const portsAsked = (filters: Filters) =>
  Object.entries(MEMBERS).flatMap(([filter, member]) =>
    (filters.get(filter) ?? []).map((value) => ({ member, ...portRange(filter, value) })),
  )

/** Whether a listed container publishes or exposes one of the requested ports. */
export function hasPorts(filters: Filters): (container: JsonObject) => boolean {
  const ranges = portsAsked(filters)
  return ({ Ports: ports }) =>
    listOf(ports)
      .filter(isObject)
      .some((port) =>
        ranges.some(({ member, low, high, type }) => {
          const number = typeof port[member] === 'number' ? port[member] : 0
          return type === port['Type'] && number >= low && number <= high
        }),
      )
}
