import { ProxyError } from '../../src/api/errors.ts'
import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
} from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { readFilters, takeFilter } from '../../src/translate/ops/calls/filter-values.ts'
import { lookUp } from '../../src/translate/ops/calls/looked-up.ts'
import { isPredefined, networkOfMode } from '../by-hand/endpoints.ts'
import { fillFlat, networkingOf } from '../by-hand/network-settings.ts'
import { namesById } from './looked-up.ts'

/** The containers in a network, which only its inspect shows; none if the network is gone. */
export async function containersIn(network: JsonValue | undefined, context: EmulationContext): Promise<JsonObject> {
  const { status, body } = await lookUp(`/networks/${encodeURIComponent(String(network))}`, context)
  return status < 400 ? objectOf(memberAt(body, 'Containers')) : {}
}

/** This many networks are inspected at the same time. One by one, 200 took a quarter of a second. */
const AT_ONCE = 8

/** Fills `Containers` of each network in a list. */
export async function fillContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!Array.isArray(body)) return
  const networks = body.filter(isObject).filter(({ Id: id }) => typeof id === 'string')
  while (networks.length > 0)
    await Promise.all(
      networks.splice(0, AT_ONCE).map(async (network) => {
        network['Containers'] = await containersIn(network['Id'], context)
      }),
    )
}

/** The containers of a network with their names: engines up to 1.9 show only their ids. */
export function withNames({ Containers: members }: JsonObject, containers: JsonValue | undefined): JsonObject {
  const names = namesById(containers)
  for (const [id, member] of Object.entries(objectOf(members))) if (isObject(member)) member['Name'] ??= names[id] ?? ''
  return {}
}

/** Endpoints of engine 1.9 have only the name of their network; the list of networks has the id. */
export function withNetworkIds({ Networks: endpoints }: JsonObject, networks: JsonValue | undefined): JsonObject {
  for (const { Name: name, Id: id = '' } of listOf(networks).filter(isObject)) {
    const endpoint = memberAt(endpoints, String(name))
    if (isObject(endpoint)) endpoint['NetworkID'] ??= id
  }
  return {}
}

/** Older engines refuse the filter: the bridge removes it and applies it to the answer. */
export function takeDangling({ query }: RequestMessage): void {
  const values = takeFilter(query, 'dangling') ?? []
  if (values.length > 1 || !values.every((value) => ['true', '1', 'false', '0'].includes(value)))
    throw new ProxyError('validation', `invalid filter 'dangling=[${values.join(' ')}]'`)
}

/** Whether the call asks for dangling networks only, or for the others; undefined where it asks for neither. */
export function wantsDangling({ call }: StepContext): boolean | undefined {
  const [value] = readFilters(call.query).get('dangling') ?? []
  return value === undefined ? undefined : value === 'true' || value === '1'
}

/** Keeps the networks without containers, or those with; predefined ones are never dangling. */
export async function keepDangling(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const wanted = wantsDangling(context)
  if (wanted === undefined || !Array.isArray(message.body)) return
  const kept: JsonValue[] = []
  for (const network of message.body) if ((await isDangling(network, context)) === wanted) kept.push(network)
  message.body = kept
}

async function isDangling(network: JsonValue, context: EmulationContext): Promise<boolean> {
  if (!isObject(network) || typeof network['Id'] !== 'string' || isPredefined(network['Name'])) return false
  return Object.keys(await containersIn(network['Id'], context)).length === 0
}

/**
 * Fills the flat network members for clients up to 1.20. Runs before the steps, because those of later versions remove
 * NetworkID from the endpoints. Below 1.21 the engine hides Networks and shows the default bridge only, but its list has
 * them at every version (1.10 on; daemon/list.go @v1.10.3).
 */
export async function askForNetworks(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const networking = networkingOf(message.body)
  const id = memberAt(message.body, 'Id')
  if (networking === undefined || typeof id !== 'string') return
  const { settings, state, mode } = networking
  if (isObject(settings['Networks'])) {
    fillFlat(networking, settings['Networks'])
    return
  }
  const complete = context.client < 19 && !isUnset(settings['IPAddress']) // 1.18 has no NetworkID
  if (context.engine.highest < 22 || state['Running'] !== true || networkOfMode(mode) === undefined || complete) return
  const known = mode === 'bridge' ? context.endpoints.get(String(settings['EndpointID'])) : undefined
  if (known !== undefined) {
    settings['NetworkID'] = known
    return
  }
  const filters = JSON.stringify({ id: [id] })
  const { status, body } = await context.engineCall('GET', '/containers/json', { query: { filters } })
  if (status >= 400 || !Array.isArray(body)) return // the answer of inspect is better than an error
  const item = body.find((listed) => isObject(listed) && listed['Id'] === id)
  const networks = memberAt(item, 'NetworkSettings', 'Networks')
  if (!isObject(networks)) return
  fillFlat(networking, networks)
  for (const endpoint of Object.values(networks).filter(isObject))
    if (!isUnset(endpoint['EndpointID']) && !isUnset(endpoint['NetworkID']))
      context.endpoints.set(String(endpoint['EndpointID']), String(endpoint['NetworkID']))
}
