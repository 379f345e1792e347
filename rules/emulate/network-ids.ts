import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** API version of engine 1.9, the first with networks. */
const HAS_NETWORKS = 21

/** Endpoints of engine 1.9 have only the name of their network; the list of networks has the id. */
export async function fillNetworkIds({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const endpoints = memberAt(body, 'NetworkSettings', 'Networks')
  if (context.engine.highest < HAS_NETWORKS || !isObject(endpoints) || Object.keys(endpoints).length === 0) return
  const networks = await context.engineCall('GET', '/networks')
  if (!Array.isArray(networks.body)) return
  for (const network of networks.body) {
    if (!isObject(network)) continue
    const endpoint = endpoints[String(network['Name'])]
    if (isObject(endpoint)) endpoint['NetworkID'] ??= network['Id'] ?? ''
  }
}
