import { type JsonObject, type JsonValue, listOf, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { EndpointSettings, Ipam, IpamConfig, NetworkingConfig } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import type { Whole } from '../../src/translate/ops/derived.ts'
import { added, type Changes, emulated, gated, refusedAsFound, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { nameOf } from '../../src/translate/replaced/label.ts'
import { aliasesAsked, ownNames, userDefinedEndpoints } from '../by-hand/endpoints.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'
import { connectOthers, keepFirstEndpoint } from '../emulate/multiple-endpoints.ts'
import { maskedCidr } from './masked-subnets.ts'

/** Name, aliases, short id and host name, each once (daemon/network.go:buildEndpointDNSNames @v25.0); null on predefined networks. */
function dnsNames(endpoint: JsonObject, { operation }: StepContext, whole: Whole): JsonValue {
  const container = objectOf(whole)
  if (operation !== 'ContainerInspect' || !userDefinedEndpoints(container).includes(endpoint)) return null
  const names = [nameOf(container), ...listOf(endpoint['Aliases']).map(stringOf), ...ownNames(container)]
  return [...new Set(names)].filter((text) => text !== '')
}

/** Puts IPv4 subnets before IPv6 ones and keeps the order otherwise. */
function ipv4First(subnets: JsonValue): JsonValue | undefined {
  if (!Array.isArray(subnets)) return undefined
  const isIpv6 = (subnet: JsonValue): boolean => stringOf(memberAt(subnet, 'Subnet')).includes(':')
  return [...subnets.filter((subnet) => !isIpv6(subnet)), ...subnets.filter(isIpv6)]
}

const SHORT = '2144e435326f'
const startedAt = (StartedAt: string) => ({ beside: { Id: `${SHORT}0000`, State: { StartedAt } } })
const inNetworks = (networks: JsonObject) => ({
  Id: `${SHORT}0000`,
  Name: '/web',
  Config: { Hostname: SHORT },
  NetworkSettings: { Networks: networks },
})

export default {
  '1.44/no-ipam-config': {
    summary: 'Networks without addresses (host, none) have null instead of an empty list of subnets.',
    see: 'seen on 20.10 and 26.1: /networks',
    ops: retyped(onSide(Ipam, 'response'), 'Config', { toNewer: [[[], null]] }),
  },
  '1.44/ipam-order': {
    summary:
      'A subnet of IPv4 that the engine chose stands behind one of IPv6 that was asked for; before, IPv4 came first.',
    // Scripts for kind read the first subnet and expect IPv4.
    see: 'daemon/network.go: buildIpamResources @v20.10.24, @v24.0.0, buildIPAMResources @v25.0.0; seen on 20.10 and 28.5',
    ops: retyped(onSide(Ipam, 'response'), 'Config', {
      toOlder: ipv4First,
      samples: [
        [
          [{ Subnet: 'fd00::/64' }, { Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }],
          [{ Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }, { Subnet: 'fd00::/64' }],
        ],
        [[{ Subnet: '10.2.0.0/16' }, { Subnet: '10.1.0.0/16' }, { Subnet: 'fd00::/64' }]],
      ],
    }),
  },
  '1.44/ipam-masked': {
    summary: 'A subnet or range must have no host bits; before, they were shown and had no effect.',
    see: 'libnetwork: api/types/network/ipam.go:ValidateIPAM @v25.0; seen on 20.10 and 26.1 at 1.41 with 10.191.0.5/24, which 20.10 shows as it was sent',
    ops: ['Subnet', 'IPRange'].map((member) =>
      retyped(onSide(IpamConfig, 'request'), member, {
        samples: [
          ['10.191.0.5/24', '10.191.0.0/24'],
          ['10.191.0.130/25', '10.191.0.128/25'],
          ['fd00:99::ffff:5/100', 'fd00:99::f000:0/100'],
          ['::ffff:10.1.2.3/120', '::ffff:a01:200/120'],
          ...['10.0.0.1', '10.0.0.0/8', 'fd00::/64', ''].map((stays) => [stays, stays] as const),
        ],
        toNewer: (cidr) => (typeof cidr === 'string' ? maskedCidr(cidr) : undefined),
      }),
    ),
  },
  '1.44/multiple-endpoints': {
    gate: 'prefix',
    summary: 'A container can be created with endpoints in several networks.',
    see: 'docs/api/version-history.md v1.44; container_routes.go:postContainersCreate; recordings 20.10 and 28.5, create-cfg-networkingconfig-two',
    ops: [
      // Engines from 25.0 on have another text at old versions, and up to 28 crash on a null endpoint.
      ...gated(
        { gate: 'release', legs: ['requestUp'] },
        refusedWhere(NetworkingConfig, 'more than one endpoint', {
          ...{ leg: 'requestUp', says: 'validation' },
          finds: ({ EndpointsConfig: endpoints }, { client }) => {
            const names = Object.keys(objectOf(endpoints))
            if (names.length < 2) return undefined
            return client <= 22 // recordings create-multi-endpoints
              ? `Container cannot be connected to [${names.join(' ')}]`
              : `Container cannot be connected to network endpoints: ${names.join(', ')}`
          },
          samples: [
            [{ EndpointsConfig: { a: {}, b: null } }, 'Container cannot be connected to network endpoints: a, b'],
            [{ EndpointsConfig: { a: {}, b: {} } }, 'Container cannot be connected to [a b]', { client: '1.22' }],
          ],
        }),
        refusedWhere(NetworkingConfig, 'a null endpoint', {
          ...{ leg: 'requestUp', says: 'validation', words: (name) => `no EndpointSettings for ${name}` },
          finds: ({ EndpointsConfig: endpoints }) =>
            Object.entries(objectOf(endpoints)).find(([, endpoint]) => endpoint === null)?.[0],
          samples: [[{ EndpointsConfig: { a: null } }, 'a']],
        }),
      ),
      emulated('ContainerCreate', 'the first endpoint is created with the container, the others are connected', {
        requestDown: keepFirstEndpoint,
        responseUp: connectOthers,
      }),
    ],
    examples: {
      'ContainerCreate requestDown body': [
        [
          { HostConfig: { NetworkMode: 'b' }, NetworkingConfig: { EndpointsConfig: { a: {}, b: { Links: ['x'] } } } },
          { HostConfig: { NetworkMode: 'b' }, NetworkingConfig: { EndpointsConfig: { b: { Links: ['x'] } } } },
        ],
      ],
      'ContainerCreate responseUp': [
        [
          { status: 201, body: { Id: 'c1', Warnings: [] } },
          /^network b not found$/,
          {
            asked: { body: { NetworkingConfig: { EndpointsConfig: { a: {}, b: {} } } } },
            calls: {
              'POST /networks/b/connect': { status: 404, body: 'network b not found' },
              'DELETE /containers/c1?v=1&force=1': { status: 204 },
            },
          },
        ],
      ],
    },
  },
  '1.44/network-duplicate-names': {
    summary: 'Networks must have different names; before, only with CheckDuplicate.',
    see: 'docs/api/version-history.md v1.44; daemon/network.go @v25.0.0',
    ops: refusedAsFound('NetworkCreate', 'existing names are looked up first', {
      part: 'body',
      says: 'conflict',
      asks: ({ body }) => (stringOf(memberAt(body, 'Name')) === '' ? undefined : '/networks'),
      finds: ({ body: networks }, _context, { body }) => {
        const name = memberAt(body, 'Name')
        const exists = listOf(networks).some((network) => memberAt(network, 'Name') === name)
        return exists ? `network with name ${name} already exists` : undefined
      },
    }),
    examples: {
      'NetworkCreate requestDown body.Name': [
        ['n', /^network with name n already exists$/, { calls: { 'GET /networks': { body: [{ Name: 'n' }] } } }],
        ['n', 'n', { calls: { 'GET /networks': { body: [{ Name: 'nn' }] } } }],
      ],
    },
  },
  '1.44/aliases-before-start': {
    summary:
      'A container has its short id and host name among its aliases from its create on; before, from its start on.',
    see: 'seen on 20.10 and 28.5; Compose 1 takes a short id for a sign that links and aliases are set (service.py:short_id_alias_exists)',
    ops: retyped(onSide(onlyIn(EndpointSettings, 'ContainerInspect'), 'response'), 'Aliases', {
      toOlder: (aliases, { MacAddress: mac }, _context, container) => {
        if (memberAt(container, 'State', 'StartedAt') !== ZERO_TIME) return undefined
        // Compose would connect it anew, and engines below 1.54 take a MAC address only in a create (1.52/connect-mac).
        return stringOf(mac) === '' ? aliasesAsked(aliases, ownNames(container)) : undefined
      },
      samples: [
        [['a', SHORT], ['a'], startedAt(ZERO_TIME)],
        [[SHORT], null, startedAt(ZERO_TIME)],
        [['a', SHORT], ['a', SHORT], startedAt('2026')],
        [[SHORT], [SHORT], { ...startedAt(ZERO_TIME), with: { MacAddress: '02:…' } }],
      ],
    }),
  },
  '1.44/dns-names': {
    summary: 'An endpoint lists its DNS names.',
    see: 'docs/api/version-history.md v1.44; recording 28.5-min1.44, inspect-two-networks',
    ops: added(onSide(EndpointSettings, 'response'), 'DNSNames', { sample: ['a'], up: dnsNames }),
    examples: {
      'ContainerInspect responseUp body': [
        [
          inNetworks({ bridge: {}, n: { Aliases: ['a', SHORT] } }),
          inNetworks({ bridge: { DNSNames: null }, n: { Aliases: ['a', SHORT], DNSNames: ['web', 'a', SHORT] } }),
        ],
      ],
    },
  },
} satisfies Changes
