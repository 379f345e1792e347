import { createHash } from 'node:crypto'
import { ProxyError } from '../../src/api/errors.ts'
import type { JsonObject } from '../../src/api/json/json.ts'
import { Answer, type EmulationContext, type RequestMessage } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/** Name and driver of the networks that every engine has. */
const PREDEFINED = [
  ['bridge', 'bridge'],
  ['none', 'null'],
  ['host', 'host'],
] as const

/** A stable id for a network, because engines without networks have none. */
const idOf = (name: string): string => createHash('sha256').update(`enginebridge network ${name}`).digest('hex')

interface Named {
  readonly name: string
  readonly driver: string
  readonly id: string
}

const networks = (): Named[] => PREDEFINED.map(([name, driver]) => ({ name, driver, id: idOf(name) }))

/** A network as engine 1.9 shows it (recording 1.9.1 at 1.21, networks-list). */
const shown = ({ name, driver, id }: Named): JsonObject => ({
  Name: name,
  Id: id,
  Scope: 'local',
  Driver: driver,
  IPAM: { Driver: 'default', Config: [] },
  Containers: {},
  Options: {},
})

/** Filters of engines from 1.10 on, which match names and ids in part (api/server/router/network/filter.go). */
const MATCHERS: Readonly<Record<string, (network: Named, value: string) => boolean>> = {
  name: ({ name }, value) => name.includes(value),
  id: ({ id }, value) => id.startsWith(value),
  driver: ({ driver }, value) => driver === value,
  scope: (_network, value) => value === 'local',
  type: (_network, value) => value === 'builtin',
  label: () => false,
}

function wanted(network: Named, query: URLSearchParams, exactNames: boolean): boolean {
  const filters = readFilters(query)
  if (exactNames) {
    // Engine 1.9 has two filters, compares whole names, and shows networks that match either filter.
    const names = filters.get('name') ?? []
    const ids = filters.get('id') ?? []
    const all = names.length + ids.length === 0
    return all || names.includes(network.name) || ids.some((id) => network.id.startsWith(id))
  }
  return [...filters].every(([key, values]) => values.some((value) => MATCHERS[key]?.(network, value) ?? true))
}

/** GET /networks on an engine without networks: the three that its containers can choose from. */
export async function predefinedNetworks(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const found = networks().filter((network) => wanted(network, context.call.query, context.client < 22))
  throw new Answer(200, context.translateResponse('NetworkList', found.map(shown)))
}

/** GET /networks/{name}, by name, id or id prefix. */
export async function predefinedNetwork(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const asked = context.call.params['name'] ?? ''
  const all = networks()
  const found = all.find(({ name, id }) => name === asked || id === asked) ?? all.find(({ id }) => id.startsWith(asked))
  if (found === undefined) throw new ProxyError('not-found', `network ${asked} not found`)
  throw new Answer(200, context.translateResponse('NetworkInspect', shown(found)))
}
