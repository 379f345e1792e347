import { type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import { NetworkSettings } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { type Change, removed } from '../../src/translate/ops.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'
import { FLAT } from '../by-hand/network-settings.ts'

/** Members without a replacement, with Go's zero values. */
const GONE = {
  Bridge: '',
  HairpinMode: false,
  LinkLocalIPv6Address: '',
  LinkLocalIPv6PrefixLen: 0,
  SecondaryIPAddresses: null,
  SecondaryIPv6Addresses: null,
} as const

/** The addresses on the default bridge, sorted as engines send them. */
const ADDRESSES = Object.entries(FLAT).sort()

function sourceOf(settings: JsonObject, { client }: StepContext, container: JsonValue | undefined): JsonObject {
  const networks = objectOf(settings['Networks'])
  const hostConfig = objectOf(memberAt(container, 'HostConfig'))
  // From 1.21 on a container has several networks, and the flat members describe the default bridge only.
  const name = client < 21 ? networkOfMode(hostConfig['NetworkMode']) : 'bridge'
  const endpoint = name === undefined ? undefined : networks[name]
  return objectOf(endpoint)
}

const ADDRESS = { IPAddress: '10.0.0.2' }
const settings = (networks: JsonObject, flat: JsonObject = {}) => ({
  HostConfig: { NetworkMode: 'own' },
  NetworkSettings: { Networks: networks, ...flat },
})

export const networkSettingsFlat = {
  // Below 1.52 engine 29 fills the addresses, but only for containers on `bridge`, and never the other members.
  summary: 'Addresses are only in Networks, no longer in NetworkSettings itself.',
  see: 'docs/api/version-history.md v1.52; daemon/server/router/container/inspect.go @docker-v29.0.0; recordings `29`',
  ops: [
    ...Object.entries(GONE).map(([member, zero]) => removed(NetworkSettings, member, { down: zero })),
    ...ADDRESSES.map(([member, zero]) =>
      removed(NetworkSettings, member, {
        down: (settings, context, container) => sourceOf(settings, context, container)[member] ?? zero,
      }),
    ),
  ],
  examples: {
    'ContainerInspect responseDown body': [
      [
        settings({ bridge: { IPPrefixLen: 16 } }),
        settings({ bridge: { IPPrefixLen: 16 } }, { ...GONE, ...FLAT, IPPrefixLen: 16 }),
      ],
      [settings({ own: ADDRESS }), settings({ own: ADDRESS }, { ...GONE, ...FLAT }), { client: '1.22' }],
      [settings({ own: ADDRESS }), settings({ own: ADDRESS }, { ...GONE, ...FLAT, ...ADDRESS }), { client: '1.20' }],
    ],
  },
} satisfies Change
