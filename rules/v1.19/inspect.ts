import { isUnset, memberAt } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { ImageConfig, LogConfig, NetworkSettings } from '../../src/api/shapes/shapes.ts'
import type { Respell } from '../../src/translate/ops/members/values.ts'
import {
  added,
  addedAll,
  byClient,
  type Changes,
  filled,
  gated,
  isTrue,
  only,
  removed,
  retyped,
  sameAs,
} from '../../src/translate/ops.ts'
import { Listed, ShownConfig, ShownHostConfig } from '../by-hand/places.ts'

/** Resource limits as members of Config, where they are in HostConfig, their zero value and another. */
const ECHOED = [
  ['Memory', 'Memory', 0, 5],
  ['MemorySwap', 'MemorySwap', 0, 5],
  ['CpuShares', 'CpuShares', 0, 5],
  ['Cpuset', 'CpusetCpus', '', '0'],
] as const

/** As in engines from 1.7 on; 1.6 shows the top level of create, which no engine keeps. */
const echoed = ECHOED.map(([old, own, zero, sample]) =>
  removed(ShownConfig, old, { sample, down: sameAs(`/HostConfig.${own}`, zero) }),
)

/** Engine 1.6 shows the limits from the top level of create only in Config. */
const fromConfig =
  (old: string): Respell =>
  (value, _hostConfig, _context, container) => {
    const shown = memberAt(container, 'Config', old)
    return isUnset(value) && !isUnset(shown) ? shown : undefined
  }

export default {
  '1.19/inspect-config-resource-echo': {
    // Engine 1.7 echoes below 1.19, 1.8 to 25 below 1.20 (daemon/inspect.go:ContainerInspectPre120); 26 no longer.
    gate: 'prefix',
    summary: 'Resource limits are shown in HostConfig only, not in Config as well.',
    see: 'runconfig/config.go @v1.6.2; daemon/inspect.go @v1.7.1; api/types/versions/v1p19 @v20.10; recordings, inspect-big, inspect-leg, image-inspect',
    ops: [
      ...only({ legs: ['responseDown'] }, ...echoed),
      ...ECHOED.map(([old, own, zero, sample]) =>
        retyped(ShownHostConfig, own, {
          samples: [[zero, sample, { beside: { Config: { [old]: sample } } }]],
          toNewer: fromConfig(old),
        }),
      ),
      // A 1.19 client of engine 1.7 did not see them (recording 1.7.1 at 1.19, inspect-big), one of a newer engine does.
      ...gated({ from: '1.20' }, ...echoed),
      ...gated({ gate: 'release' }, ...ECHOED.map(([old, , zero]) => removed(ImageConfig, old, { down: zero }))),
    ],
  },
  '1.19/netsettings-sandbox-fields': {
    summary: 'Network settings name the endpoint and its sandbox.',
    see: 'daemon/network_settings.go @v1.6.2; daemon/network/settings.go @v1.7.1; recordings 1.6.2 … 1.9.1, inspect-running',
    ops: [
      // Engines from 1.7 on, for SandboxID from 1.9 on, show them at every version.
      ...addedAll(NetworkSettings, ['EndpointID', 'SandboxKey'], { sample: 'x', up: '', down: 'keep' }),
      ...addedAll(NetworkSettings, ['SecondaryIPAddresses', 'SecondaryIPv6Addresses'], {
        sample: [],
        up: null,
        down: 'keep',
      }),
      added(NetworkSettings, 'HairpinMode', { sample: true, up: false, down: 'keep' }),
      // SandboxID came with engine 1.9, when the NetworkID of 1.7 and 1.8 moved to the networks: 1.21/netsettings-expanded.
      added(NetworkSettings, 'SandboxID', { up: byClient({ '1.21': '' }), down: 'keep' }),
      added(NetworkSettings, 'NetworkID', { sample: 'b', up: byClient({ '1.19': '', '1.21': undefined }) }),
    ],
  },
  '1.19/log-config-null': {
    summary: 'Without options LogConfig.Config is an empty object; before, null.',
    see: 'recordings of 1.6.2 and 1.7.1, inspect-min, created-log-none',
    ops: retyped(onSide(LogConfig, 'response'), 'Config', { pairs: [[null, {}]] }),
  },
  '1.19/network-mode-unset': {
    summary: 'An unset network mode is shown as "default"; engine 1.6 shows "".',
    see: 'recordings of 1.6.2, 1.7.1, 1.12.6, inspect-min, inspect-running',
    // Engine 1.6 cannot start a container in a mode of that name, so for its clients the word always means unset.
    ops: retyped(ShownHostConfig, 'NetworkMode', { pairs: [['', 'default']] }),
  },
  '1.19/list-size-fields': {
    summary: 'The list of containers omits sizes of zero.',
    see: 'api/types/types.go:Container @v1.7.1; daemon/list.go @v1.6.2; recording 1.6.2 at 1.18, list-all-size',
    ops: ['SizeRw', 'SizeRootFs'].map((member) =>
      filled(Listed, member, (_item, { call }) => (isTrue(call.query.get('size')) ? 0 : undefined), {
        samples: [[{}, 0, { query: 'size=1' }], [{}]],
      }),
    ),
  },
} satisfies Changes
