import { isUnset, type JsonObject } from '../../src/api/json/json.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import { ContainerInspect, ContainerState, ImageConfig, NetworkSettings } from '../../src/api/shapes/shapes.ts'
import {
  added,
  addedAll,
  byHand,
  type Changes,
  emulated,
  gated,
  isTrue,
  lookedUp,
  type Op,
  omittedWhenEmpty,
  only,
  queryAdded,
  removed,
  retyped,
} from '../../src/translate/ops.ts'
import { FLAT, flatFromNetworks, networksFromFlat } from '../by-hand/network-settings.ts'
import { ShownConfig } from '../by-hand/places.ts'
import { isStopped, NEVER_STARTED, ofStopped, stateStatus } from '../by-hand/state-status.ts'
import { sizesOf } from '../emulate/looked-up.ts'
import { askForNetworks } from '../emulate/looked-up-networks.ts'

export const OMITTED = [
  ['MacAddress', ''],
  ['NetworkDisabled', false],
  ['ExposedPorts', null],
] as const

const omitted = (shape: Shape, options: { readonly bothWays?: true } = {}): Op[] =>
  OMITTED.map(([member, empty]) => omittedWhenEmpty(shape, member, empty, options))

const ADDRESSES = { ...FLAT, EndpointID: 'e1', Gateway: '10.0.0.1', IPAddress: '10.0.0.2', IPPrefixLen: 16 }
const ENDPOINT = { ...ADDRESSES, NetworkID: 'n1' }
const inMode = (mode: string) => ({ beside: { HostConfig: { NetworkMode: mode }, State: { Running: true } } })

const container = (settings: JsonObject) => ({
  Id: 'c1',
  State: { Running: true },
  HostConfig: { NetworkMode: 'web' },
  NetworkSettings: settings,
})

export default {
  '1.21/inspect-size': {
    summary: 'Inspect can show the sizes of a container.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/inspect.go ContainerInspect @v1.9.1',
    ops: [
      ...only({ legs: ['requestUp'] }, queryAdded('ContainerInspect', 'size', { sample: '1', onLoss: 'ignore' })),
      ...addedAll(ContainerInspect, ['SizeRw', 'SizeRootFs'], { sample: 2 }),
      // Engines up to 25 do not show them below 1.21 either (containerInspectPre120, containerInspect120).
      ...gated(
        { gate: 'prefix' },
        lookedUp(ContainerInspect, 'the sizes are taken from the list', {
          asks: '/containers/json?all=1&size=1',
          lacks: (_container, { call }) => isTrue(call.query.get('size')),
          finds: sizesOf,
          samples: [
            [
              { Id: 'c1' },
              [{ Id: 'c2' }, { Id: 'c1', SizeRootFs: 5 }],
              { SizeRw: 0, SizeRootFs: 5 },
              { query: 'size=1' },
            ],
          ],
        }),
      ),
    ],
    examples: { 'ContainerInspect responseUp body.Id': [['c1']] },
  },
  '1.21/state-status': {
    summary: 'The state of a container has Status, a single word.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/state.go StateString, api/types/types.go ContainerState @v1.9.1',
    ops: added(ContainerState, 'Status', {
      sample: 'running',
      up: stateStatus,
      upSamples: [
        [{ Running: true, Paused: true }, 'paused'],
        [{ Running: true, Restarting: true }, 'restarting'],
        [{ Running: true, Paused: false }, 'running'],
        [{ Running: false, Dead: true }, 'dead'],
        [{ Running: false, StartedAt: '0001-01-01T00:00:00Z' }, 'created'],
        [{ Running: false, StartedAt: '2026-11-20T15:53:01.767366264Z' }, 'exited'],
      ],
    }),
  },
  '1.21/config-omit-empty': {
    // Engine 1.8 omits them at every prefix; engines 1.9 to 25 show them again below prefix 1.21.
    from: '1.20',
    summary: 'MacAddress, NetworkDisabled and ExposedPorts of the config are left out when empty.',
    see: 'api/types/versions/v1p20/types.go ContainerConfig @v1.9.1; recordings 1.7.1, 1.8.3 and 1.9.1 at 1.20, inspect-min',
    ops: [
      // An image's config omits them too (recordings 1.7.1 and 1.8.3, image-inspect), on all engines from 1.8 on.
      ...[ShownConfig, ImageConfig].flatMap((shape) => omitted(shape)),
      ...gated({ from: '1.21' }, ...omitted(ShownConfig)),
      // These engines show them, and VolumeDriver, also to a target pinned below the client's version.
      ...only(
        { legs: ['responseUp'], gate: 'prefix', from: '1.21' },
        ...omitted(ShownConfig, { bothWays: true }),
        removed(ShownConfig, 'VolumeDriver', { down: '' }),
      ),
    ],
  },
  '1.21/netsettings-networks': {
    gate: 'prefix',
    summary: 'NetworkSettings has every network of the container, in Networks.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/inspect.go containerInspect120 @v1.9.1; recordings 1.9.1 at 1.20 and 1.21, inspect-running, inspect-min',
    ops: added(NetworkSettings, 'Networks', {
      sample: {},
      up: networksFromFlat,
      upSamples: [
        [ADDRESSES, { bridge: ADDRESSES }, inMode('default')],
        [{}, {}, inMode('container:web')],
        [{}, null, { beside: { State: NEVER_STARTED } }],
      ],
    }),
  },
  '1.21/netsettings-expanded': {
    summary: 'All flat members of NetworkSettings are documented, and describe the default bridge only.',
    see: 'docs/api/v1.21.md, Inspect a container; api/types/types.go NetworkSettingsBase, DefaultNetworkSettings @v1.9.1; recordings 1.7.1, 1.8.3 and 1.9.1, inspect-running',
    // Before, the flat members described the container's only network, whichever it was. Engines 1.7 and 1.8 also have its
    // NetworkID, and all members but SandboxID; 1.19/netsettings-sandbox-fields covers 1.6.
    ops: [
      emulated('ContainerInspect', 'the container’s networks are taken from the list if inspect hides them', {
        responseDown: askForNetworks,
      }),
      ...addedAll(NetworkSettings, ['SandboxID', 'LinkLocalIPv6Address', 'GlobalIPv6Address', 'IPv6Gateway'], {
        sample: 'x',
        up: '',
        down: 'keep',
      }),
      ...addedAll(NetworkSettings, ['LinkLocalIPv6PrefixLen', 'GlobalIPv6PrefixLen'], {
        sample: 1,
        up: 0,
        down: 'keep',
      }),
      byHand('ContainerInspect', 'the flat members describe the container’s own network', {
        responseDown: flatFromNetworks,
      }),
      ...only({ legs: ['responseUp'] }, removed(NetworkSettings, 'NetworkID', { down: '' })),
    ],
    examples: {
      'ContainerInspect responseDown body': [
        [container({ ...FLAT, Networks: { web: ENDPOINT } }), container({ ...ENDPOINT, Networks: { web: ENDPOINT } })],
        [
          container(FLAT),
          container(ENDPOINT),
          {
            engine: '1.41',
            calls: {
              'GET /containers/json?filters=%7B%22id%22%3A%5B%22c1%22%5D%7D': {
                body: [{ Id: 'c1', NetworkSettings: { Networks: { web: ENDPOINT } } }],
              },
            },
          },
        ],
      ],
    },
  },
  '1.21/netsettings-port-mapping': {
    summary: 'NetworkSettings.PortMapping, which was always null, is gone.',
    see: 'docs/api/v1.18.md, Inspect a container; daemon/network/settings.go @v1.8.3, @v1.9.1',
    ops: removed(NetworkSettings, 'PortMapping', { down: null }),
  },
  '1.21/ports-empty-map': {
    // Changed between engines 1.12 and 20.10; below prefix 1.21 engine 20.10 still sends null.
    from: '1.25',
    summary: 'The ports of a stopped container are an empty map; before, null.',
    see: 'recordings 20.10.24 at 1.20 and 1.21, 1.12.6 at 1.24, inspect-min',
    ops: retyped(NetworkSettings, 'Ports', {
      samples: { toOlder: ofStopped({}, null) },
      toOlder: (ports, _settings, _context, container) => (isUnset(ports) && isStopped(container) ? null : undefined),
      toNewer: [[null, {}]],
    }),
  },
} satisfies Changes
