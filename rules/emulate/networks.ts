import { createHash } from 'node:crypto'
import { ProxyError } from '../../src/api/errors.ts'
import { type JsonObject, stringOf } from '../../src/api/json/json.ts'
import { Answer, type EmulationContext, type RequestMessage } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { wantsDangling } from './looked-up-networks.ts'

/** The drivers of the networks that every engine has, by their names. */
const PREDEFINED = { bridge: 'bridge', none: 'null', host: 'host' }

/** As engine 1.9 shows them (recording 1.9.1 at 1.21, networks-list); engines without networks have no ids for them. */
const networks = (): JsonObject[] =>
  Object.entries(PREDEFINED).map(([name, driver]) => ({
    Name: name,
    Id: createHash('sha256').update(`enginebridge network ${name}`).digest('hex'),
    Scope: 'local',
    Driver: driver,
    IPAM: { Driver: 'default', Config: [] },
    Containers: {},
    Options: {},
  }))

const isIn = ({ Name: name, Id: id }: JsonObject, names: readonly string[], ids: readonly string[]): boolean =>
  names.includes(stringOf(name)) || ids.some((start) => stringOf(id).startsWith(start))

/**
 * GET /networks on an engine without networks: the three that its containers can choose from. Engine 1.9 has two filters,
 * compares whole names, and shows networks that match either; filters of newer clients are applied to the answer, but for
 * dangling, which no predefined network is.
 */
export async function predefinedNetworks(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const filters = readFilters(context.call.query)
  const [names, ids] = [filters.get('name') ?? [], filters.get('id') ?? []]
  const all = context.client > 21 || !(filters.has('name') || filters.has('id'))
  const found = wantsDangling(context) ? [] : networks().filter((network) => all || isIn(network, names, ids))
  throw new Answer(200, context.translateResponse('NetworkList', found))
}

/** GET /networks/{name}, by name, id or id prefix. */
export async function predefinedNetwork(_message: RequestMessage, context: EmulationContext): Promise<void> {
  const asked = context.call.params['name'] ?? ''
  const all = networks()
  const found = all.find(({ Name: name }) => name === asked) ?? all.find((network) => isIn(network, [], [asked]))
  if (found === undefined) throw new ProxyError('not-found', `network ${asked} not found`)
  throw new Answer(200, context.translateResponse('NetworkInspect', found))
}
