import { isUnset, type JsonObject } from '../../src/api/json/json.ts'
import { NetworkSettings } from '../../src/api/shapes/shapes.ts'
import { added, addedAll, byHand, type Changes, emulated, only, removed, retyped } from '../../src/translate/ops.ts'
import { FLAT, flatFromNetworks, networksFromFlat } from '../by-hand/network-settings.ts'
import { isStopped, NEVER_STARTED, ofStopped } from '../by-hand/state-status.ts'
import { askForNetworks } from '../emulate/looked-up-networks.ts'

const ADDRESSES = { ...FLAT, EndpointID: 'e1', Gateway: '10.0.0.1', IPAddress: '10.0.0.2', IPPrefixLen: 16 }
const ENDPOINT = { ...ADDRESSES, NetworkID: 'n1' }
const inMode = (mode: string) => ({ beside: { HostConfig: { NetworkMode: mode }, State: { Running: true } } })

const container = (settings: JsonObject) => ({
  Id: 'c1',
  State: { Running: true },
  HostConfig: { NetworkMode: 'web' },
  NetworkSettings: settings,
})

/** The network settings in container inspect. */
export default {
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
