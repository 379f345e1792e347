import { isObject, isUnset, type JsonObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerListItem, HostConfig, ImageConfig, LogConfig, NetworkSettings } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import type { ResponseMessage } from '../../src/translate/message.ts'
import {
  added,
  addedAll,
  byClient,
  byHand,
  filled,
  gated,
  isTrue,
  onEach,
  removed,
  retyped,
} from '../../src/translate/ops.ts'

/** Resource limits as members of Config, and where they are in HostConfig. */
const ECHOED = [
  ['Memory', 'Memory', 0],
  ['MemorySwap', 'MemorySwap', 0],
  ['CpuShares', 'CpuShares', 0],
  ['Cpuset', 'CpusetCpus', ''],
] as const

function configs({ body }: ResponseMessage): { config: JsonObject; hostConfig: JsonObject } | undefined {
  const config = memberAt(body, 'Config')
  const hostConfig = memberAt(body, 'HostConfig')
  return isObject(config) ? { config, hostConfig: objectOf(hostConfig) } : undefined
}

/** As in engines from 1.7 on; 1.6 shows the top level of create, which no engine keeps. */
function echo(message: ResponseMessage): void {
  const { config, hostConfig } = configs(message) ?? {}
  if (config === undefined || hostConfig === undefined) return
  for (const [old, own, zero] of ECHOED) config[old] ??= hostConfig[own] ?? zero
}

/** Engine 1.6 shows the limits from the top level of create only in Config. */
function fillHostConfig(message: ResponseMessage): void {
  const { config, hostConfig } = configs(message) ?? {}
  if (config === undefined || hostConfig === undefined) return
  for (const [old, own] of ECHOED) {
    const value = config[old]
    if (value !== undefined && !isUnset(value) && isUnset(hostConfig[own])) hostConfig[own] = value
  }
}

function dropEcho(message: ResponseMessage): void {
  const { config } = configs(message) ?? {}
  for (const [old] of ECHOED) delete config?.[old]
}

const shown = (settings: JsonObject) => ({ body: { NetworkSettings: settings } })
const none = { EndpointID: '', HairpinMode: false, SandboxKey: '', SecondaryIPAddresses: null }

export default [
  {
    id: '1.19/inspect-config-resource-echo',
    // Engine 1.7 echoes below 1.19, 1.8 to 25 below 1.20 (daemon/inspect.go:ContainerInspectPre120); 26 no longer.
    gate: 'prefix',
    summary: 'Resource limits are shown in HostConfig only, not in Config as well.',
    see: 'runconfig/config.go @v1.6.2; daemon/inspect.go @v1.7.1; api/types/versions/v1p19 @v20.10; recordings, inspect-big, inspect-leg, image-inspect',
    ops: [
      byHand('ContainerInspect', 'the limits are shown in Config too', {
        responseDown: echo,
        responseUp: fillHostConfig,
      }),
      // A 1.19 client of engine 1.7 did not see them (recording 1.7.1 at 1.19, inspect-big), one of a newer engine does.
      ...gated(
        { gate: 'prefix', from: '1.20' },
        byHand('ContainerInspect', 'the limits are shown in Config too, below 1.20', {
          responseDown: echo,
          responseUp: dropEcho,
        }),
      ),
      ...gated({ gate: 'release' }, ...ECHOED.map(([old, , zero]) => removed(ImageConfig, old, { down: zero }))),
    ],
    examples: {
      'ContainerInspect responseDown body': [
        [
          { Config: { Image: 'x' }, HostConfig: { Memory: 67108864, CpusetCpus: '0' } },
          {
            Config: { Image: 'x', Memory: 67108864, MemorySwap: 0, CpuShares: 0, Cpuset: '0' },
            HostConfig: { Memory: 67108864, CpusetCpus: '0' },
          },
        ],
        [
          { Config: { Image: 'x' }, HostConfig: { CpusetCpus: '0' } },
          {
            Config: { Image: 'x', Memory: 0, MemorySwap: 0, CpuShares: 0, Cpuset: '0' },
            HostConfig: { CpusetCpus: '0' },
          },
          { client: '1.19', engine: '1.41' },
        ],
      ],
      'ContainerInspect responseUp body': [
        [
          { Config: { Memory: 67108864, MemorySwap: 0, Cpuset: '' }, HostConfig: { Memory: 0 } },
          { Config: { Memory: 67108864, MemorySwap: 0, Cpuset: '' }, HostConfig: { Memory: 67108864 } },
        ],
        [
          { Config: { Memory: 67108864, MemorySwap: 0, Cpuset: '' }, HostConfig: { Memory: 0 } },
          { Config: {}, HostConfig: { Memory: 67108864 } },
          { client: '1.20', engine: '1.18' },
        ],
      ],
    },
  },
  {
    id: '1.19/netsettings-sandbox-fields',
    gate: 'release',
    summary: 'Network settings name the endpoint and its sandbox.',
    see: 'daemon/network_settings.go @v1.6.2; daemon/network/settings.go @v1.7.1; recordings 1.6.2 … 1.9.1, inspect-running',
    ops: [
      // Engines from 1.7 on, for SandboxID from 1.9 on, show them at every version.
      addedAll(NetworkSettings, ['EndpointID', 'SandboxKey'], { up: '', down: 'keep', onLoss: 'ignore' }),
      addedAll(NetworkSettings, ['SecondaryIPAddresses', 'SecondaryIPv6Addresses'], {
        up: null,
        down: 'keep',
        onLoss: 'ignore',
      }),
      added(NetworkSettings, 'HairpinMode', { up: false, down: 'keep', onLoss: 'ignore' }),
      // SandboxID came with engine 1.9, when the NetworkID of 1.7 and 1.8 moved to the networks.
      added(NetworkSettings, 'SandboxID', { up: byClient({ '1.21': '' }), down: 'keep', onLoss: 'ignore' }),
      added(NetworkSettings, 'NetworkID', {
        sample: 'b',
        up: (_s, { client }) => (client < 21 ? '' : undefined),
        onLoss: 'ignore',
      }),
      gated(
        { from: '1.21' },
        onEach(NetworkSettings, 'engines 1.7 and 1.8 have a NetworkID here', {
          responseDown: (settings, { client }) => {
            if (client >= 19) settings['NetworkID'] ??= ''
          },
          responseUp: (settings) => {
            delete settings['NetworkID']
          },
        }),
      ),
    ].flat(),
    examples: {
      'ContainerInspect responseDown': [
        [shown({ IPAddress: '' }), shown({ IPAddress: '', NetworkID: '' }), { client: '1.20', engine: '1.21' }],
      ],
      'ContainerInspect responseUp': [
        [shown({ IPAddress: '' }), shown({ ...none, SecondaryIPv6Addresses: null, IPAddress: '', NetworkID: '' })],
        [
          shown({ IPAddress: '' }),
          shown({ ...none, SecondaryIPv6Addresses: null, IPAddress: '', SandboxID: '' }),
          { client: '1.21' },
        ],
      ],
    },
  },
  {
    id: '1.19/log-config-null',
    gate: 'release',
    summary: 'Without options LogConfig.Config is an empty object; before, null.',
    see: 'recordings of 1.6.2 and 1.7.1, inspect-min, created-log-none',
    ops: [
      retyped(onSide(LogConfig, 'response'), 'Config', {
        samples: [[null, {}]],
        toOlder: (options) => (isUnset(options) ? null : undefined),
        toNewer: [[null, {}]],
      }),
    ],
  },
  {
    id: '1.19/network-mode-unset',
    gate: 'release',
    summary: 'An unset network mode is shown as "default"; engine 1.6 shows "".',
    see: 'recordings of 1.6.2, 1.7.1, 1.12.6, inspect-min, inspect-running',
    // Engine 1.6 cannot start a container in a mode of that name, so for its clients the word always means unset.
    ops: [
      retyped(onSide(HostConfig, 'response'), 'NetworkMode', {
        toOlder: [['default', '']],
        toNewer: [['', 'default']],
      }),
    ],
  },
  {
    id: '1.19/list-size-fields',
    gate: 'release',
    summary: 'The list of containers omits sizes of zero.',
    see: 'api/types/types.go:Container @v1.7.1; daemon/list.go @v1.6.2; recording 1.6.2 at 1.18, list-all-size',
    ops: ['SizeRw', 'SizeRootFs'].map((member) =>
      filled(onlyIn(ContainerListItem, 'ContainerList', 'ContainerListPs'), member, (_item, { call }) =>
        isTrue(call.query.get('size')) ? 0 : undefined,
      ),
    ),
    examples: {
      'ContainerList responseDown': [
        [{ query: 'size=1', body: [{ Id: 'a', SizeRw: 2 }] }, { body: [{ Id: 'a', SizeRw: 2, SizeRootFs: 0 }] }],
      ],
      'ContainerList responseDown body.[].Id': [['a']],
      'ContainerListPs responseDown': [[{ query: 'size=1', body: [] }, { body: [] }]],
    },
  },
] satisfies Change[]
