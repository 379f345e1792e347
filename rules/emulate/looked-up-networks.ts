import { isObject, type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { containerNames, listed } from './looked-up.ts'

/** The containers in a network, which only its inspect shows; none if the network is gone. */
export async function containersIn(network: JsonValue | undefined, context: EmulationContext): Promise<JsonObject> {
  const { status, body } = await context.engineCall('GET', `/networks/${encodeURIComponent(String(network))}`)
  return status < 400 ? objectOf(memberAt(body, 'Containers')) : {}
}

/** Fills `Containers` of each network in a list. */
export async function fillContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!Array.isArray(body)) return
  for (const network of body.filter(isObject))
    if (typeof network['Id'] === 'string') network['Containers'] = await containersIn(network['Id'], context)
}

/** Engines up to 1.9 show only the ids of the containers in a network. */
export async function nameContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const members = (Array.isArray(body) ? body : [body]).flatMap((network) =>
    Object.entries(objectOf(memberAt(network, 'Containers'))).filter(([, member]) => isObject(member)),
  )
  if (members.length === 0) return
  const names = await containerNames(context)
  for (const [id, member] of members) if (isObject(member)) member['Name'] ??= names[id] ?? ''
}

/** API version of engine 1.9, the first with networks. */
const HAS_NETWORKS = 21

/** Endpoints of engine 1.9 have only the name of their network; the list of networks has the id. */
export async function fillNetworkIds({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const endpoints = memberAt(body, 'NetworkSettings', 'Networks')
  if (context.engine.highest < HAS_NETWORKS || !isObject(endpoints) || Object.keys(endpoints).length === 0) return
  for (const { Name: name, Id: id = '' } of (await listed(context, '/networks')) ?? []) {
    const endpoint = endpoints[String(name)]
    if (isObject(endpoint)) endpoint['NetworkID'] ??= id
  }
}
