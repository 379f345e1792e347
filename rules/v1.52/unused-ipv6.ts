import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, emulated } from '../../src/translate/ops.ts'
import { leaveUnusedIpv6Out } from '../emulate/unused-ipv6.ts'

const FOR_IPV6 = 'com.docker.network.enable_ipv6'

const ENDPOINT = { IPAMConfig: { IPv4Address: '172.31.9.7', IPv6Address: '2001:db8:9::7' } }
const LEFT = { IPAMConfig: { IPv4Address: '172.31.9.7' } }
const V4 = { Subnet: '172.31.9.0/24' }
const V6 = { Subnet: '2001:db8:9::/64' }

export const unusedIpv6 = {
  id: '1.52/unused-ipv6',
  gate: 'release',
  summary: 'A network without IPv6 keeps no IPv6 subnet, and refuses containers that request an IPv6 address.',
  see: 'daemon/network.go:createNetwork, validateIpamConfig @docker-v29.0.0; seen on 20.10, 28.5 and 29.8',
  ops: [
    byHand('NetworkCreate', 'unused subnets are removed', {
      requestUp: ({ body }, context, change) => {
        const ipam = memberAt(body, 'IPAM')
        const subnets = memberAt(ipam, 'Config')
        if (!isObject(body) || !isObject(ipam) || !Array.isArray(subnets) || body['EnableIPv6'] === true) return
        if (isObject(body['Options']) && body['Options'][FOR_IPV6] !== undefined) return
        const used = subnets.filter((config) => !(isObject(config) && String(config['Subnet'] ?? '').includes(':')))
        if (used.length === subnets.length) return
        ipam['Config'] = used
        context.ignore('IPAM.Config[] of IPv6 (the network has no IPv6)', change.id)
      },
    }),
    emulated(['ContainerCreate', 'NetworkConnect'], 'unused addresses are removed', {
      requestUp: (message, context, change) => leaveUnusedIpv6Out(message, context, change.id),
    }),
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
