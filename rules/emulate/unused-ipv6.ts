import { isObject, isUnset, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

const NETWORK = /^\/networks\/([^/]+)\/connect$/

/** The networks of a create or connect request, URL-encoded, with the requested endpoints. */
function endpointsByNetwork({ path, body }: RequestMessage): [network: string, endpoint: JsonValue | undefined][] {
  if (!isObject(body)) return []
  const connected = NETWORK.exec(path)?.[1]
  if (connected !== undefined) return [[connected, body['EndpointConfig']]]
  const config = memberAt(body['NetworkingConfig'], 'EndpointsConfig')
  return isObject(config) ? Object.entries(config).map(([name, value]) => [encodeURIComponent(name), value]) : []
}

function addresses(endpoint: JsonValue | undefined): JsonObject | undefined {
  const config = memberAt(endpoint, 'IPAMConfig')
  return isObject(config) && !isUnset(config['IPv6Address']) ? config : undefined
}

/** Removes an IPv6 address for a network without IPv6, which the client's engine would store but not use. */
export async function leaveUnusedIpv6Out(
  message: RequestMessage,
  context: EmulationContext,
  change: string,
): Promise<void> {
  for (const [network, endpoint] of endpointsByNetwork(message)) {
    const config = addresses(endpoint)
    if (config === undefined) continue
    const { status, body } = await context.engineCall('GET', `/networks/${network}`)
    if (status !== 200 || !isObject(body) || body['EnableIPv6'] !== false) continue
    delete config['IPv6Address']
    context.ignore('EndpointSettings.IPAMConfig.IPv6Address (the network has no IPv6)', change)
  }
}
