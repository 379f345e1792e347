import { isUnset, type JsonObject, memberAt } from '../../src/api/json/json.ts'
import { NetworkSettings } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, addedAll, byHand, emulated, only, removed, retyped } from '../../src/translate/ops.ts'
import { flatFromNetworks, networksFromFlat } from '../by-hand/network-settings.ts'
import { askForNetworks } from '../emulate/looked-up-networks.ts'

const network = {
  EndpointID: 'e1',
  Gateway: '10.0.0.1',
  IPAddress: '10.0.0.2',
  IPPrefixLen: 16,
  IPv6Gateway: '',
  GlobalIPv6Address: '',
  GlobalIPv6PrefixLen: 0,
  MacAddress: '02:42:0a:00:00:02',
}
const endpoint = { ...network, NetworkID: 'n1' }
const onBridge = { Bridge: '', ...network }
/** The flat members of a container that is not on the default bridge. */
const empty = {
  Bridge: '',
  EndpointID: '',
  Gateway: '',
  IPAddress: '',
  IPPrefixLen: 0,
  IPv6Gateway: '',
  GlobalIPv6Address: '',
  GlobalIPv6PrefixLen: 0,
  MacAddress: '',
}
const NEW = { Running: false, StartedAt: '0001-01-01T00:00:00Z' }

const container = (mode: string, settings: JsonObject, state: JsonObject = { Running: true }) => ({
  Id: 'c1',
  State: state,
  HostConfig: { NetworkMode: mode },
  NetworkSettings: settings,
})

/** The network settings in container inspect. */
export default {
  '1.21/netsettings-networks': {
    gate: 'prefix',
    summary: 'NetworkSettings has every network of the container, in Networks.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/inspect.go containerInspect120 @v1.9.1; recordings 1.9.1 at 1.20 and 1.21, inspect-running, inspect-min',
    ops: added(NetworkSettings, 'Networks', { sample: { bridge: network }, up: networksFromFlat }),
    examples: {
      'ContainerInspect responseUp body': [
        [container('default', onBridge), container('default', { ...onBridge, Networks: { bridge: network } })],
        [container('container:web', {}), container('container:web', { Networks: {} })],
        [container('', {}, NEW), container('', { Networks: null }, NEW)],
      ],
    },
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
        [
          container('web', { ...empty, SandboxID: 's1', Networks: { web: endpoint } }),
          container('web', { ...empty, ...endpoint, SandboxID: 's1', Networks: { web: endpoint } }),
        ],
        [
          container('web', empty),
          container('web', { ...empty, ...endpoint }),
          {
            engine: '1.41',
            calls: {
              'GET /containers/json?filters=%7B%22id%22%3A%5B%22c1%22%5D%7D': {
                body: [{ Id: 'c1', NetworkSettings: { Networks: { web: endpoint } } }],
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
      toOlder: (ports, _settings, _context, container) =>
        isUnset(ports) && memberAt(container, 'State', 'Running') === false ? null : undefined,
      toNewer: [[null, {}]],
    }),
    examples: {
      'ContainerInspect responseDown body': [
        [
          { State: { Running: false }, NetworkSettings: { Ports: {} } },
          { State: { Running: false }, NetworkSettings: { Ports: null } },
        ],
        [{ State: { Running: true }, NetworkSettings: { Ports: {} } }],
      ],
    },
  },
} satisfies Changes
