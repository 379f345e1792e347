import { isObject, isUnset, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { Ipam } from '../../src/api/shapes/shapes.ts'
import type { BoundChange, Change } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { emulated, retyped } from '../../src/translate/ops.ts'

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
async function omitUnusedIpv6(message: RequestMessage, context: EmulationContext, change: BoundChange): Promise<void> {
  for (const [network, endpoint] of endpointsByNetwork(message)) {
    const config = addresses(endpoint)
    if (config === undefined) continue
    const { status, body } = await context.engineCall('GET', `/networks/${network}`)
    if (status !== 200 || !isObject(body) || body['EnableIPv6'] !== false) continue
    delete config['IPv6Address']
    context.ignore('EndpointSettings.IPAMConfig.IPv6Address (the network has no IPv6)', change.id)
  }
}

const FOR_IPV6 = 'com.docker.network.enable_ipv6'

const ENDPOINT = { IPAMConfig: { IPv4Address: '172.31.9.7', IPv6Address: '2001:db8:9::7' } }
const LEFT = { IPAMConfig: { IPv4Address: '172.31.9.7' } }
const V4 = { Subnet: '172.31.9.0/24' }
const V6 = { Subnet: '2001:db8:9::/64' }

export const unusedIpv6 = {
  summary: 'A network without IPv6 keeps no IPv6 subnet, and refuses containers that request an IPv6 address.',
  see: 'daemon/network.go:createNetwork, validateIpamConfig @docker-v29.0.0; seen on 20.10, 28.5 and 29.8',
  ops: [
    retyped(onSide(Ipam, 'request'), 'Config', {
      description: 'unused subnets are removed',
      toNewer: (subnets, _ipam, context, network) => {
        if (!Array.isArray(subnets) || memberAt(network, 'EnableIPv6') === true) return undefined
        if (memberAt(network, 'Options', FOR_IPV6) !== undefined) return undefined
        const used = subnets.filter((config) => !String(memberAt(config, 'Subnet') ?? '').includes(':'))
        if (used.length < subnets.length)
          context.ignore('IPAM.Config[] of IPv6 (the network has no IPv6)', '1.52/unused-ipv6')
        return used
      },
    }),
    emulated(['ContainerCreate', 'NetworkConnect'], 'unused addresses are removed', { requestUp: omitUnusedIpv6 }),
  ],
  examples: {
    'NetworkCreate requestUp body': [
      [
        { Name: 'n', IPAM: { Config: [V4, V6] } },
        { Name: 'n', IPAM: { Config: [V4] } },
      ],
      [{ Name: 'n', EnableIPv6: true, IPAM: { Config: [V4, V6] } }],
      [{ Name: 'n', Options: { [FOR_IPV6]: 'true' }, IPAM: { Config: [V6] } }],
    ],
    'ContainerCreate requestUp body.NetworkingConfig.EndpointsConfig.n': [
      [ENDPOINT, LEFT, { calls: { 'GET /networks/n': { body: { Name: 'n', EnableIPv6: false } } } }],
    ],
    'NetworkConnect requestUp': [
      [
        { path: '/networks/n/connect', body: { Container: 'c', EndpointConfig: ENDPOINT } },
        { body: { Container: 'c', EndpointConfig: ENDPOINT } },
        { calls: { 'GET /networks/n': { body: { Name: 'n', EnableIPv6: true } } } },
      ],
    ],
  },
} satisfies Change
