import { isUnset, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import {
  ContainerInspect,
  ContainerState,
  EndpointSettings,
  MountPoint,
  NetworkSettings,
} from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, addedAll, type Changes, lookedUp, removed, retyped } from '../../src/translate/ops.ts'
import { isStopped, NEVER_STARTED, ofStopped, wasNeverStarted } from '../by-hand/state-status.ts'
import { withNetworkIds } from '../emulate/looked-up-networks.ts'

/** The default of engine 1.10: '' for anonymous volumes, rprivate for entries of Binds. */
function defaultPropagation(mount: JsonObject, _context: StepContext, container: JsonValue | undefined): JsonValue {
  const name = mount['Name']
  if (typeof name !== 'string' || name === '') return 'rprivate'
  const binds = listOf(memberAt(container, 'HostConfig', 'Binds'))
  return binds.some((bind) => typeof bind === 'string' && bind.startsWith(`${name}:`)) ? 'rprivate' : ''
}

/** API version of engine 1.9, the first with networks. */
const HAS_NETWORKS = 21

const BOUND = { beside: { HostConfig: { Binds: ['/tmp:/t', 'data:/d'] } } }

export default {
  '1.22/exec-driver-removed': {
    summary: 'A container no longer shows its execution driver.',
    see: 'daemon/inspect.go @v1.9.1; engine-api types @v1.10.3 (some 1.10 documents still show it)',
    ops: removed(ContainerInspect, 'ExecDriver', { down: 'native-0.2' }),
  },
  '1.22/state-dead': {
    summary: 'State.Dead is documented; the daemon has it since 1.6.',
    see: 'docs/api/v1.22.md, Inspect a container; daemon/state.go @v1.6.2',
    ops: added(ContainerState, 'Dead', { sample: true, up: false, down: 'keep' }),
  },
  '1.22/mount-fields': {
    summary: 'A mount shows its propagation.',
    see: 'docs/api/v1.22.md, Inspect a container; api/types/types.go:MountPoint @v1.8.3; recorded on 1.9.1, 1.10.3',
    ops: added(MountPoint, 'Propagation', {
      sample: 'rprivate',
      up: defaultPropagation,
      upSamples: [
        [{ Source: '/tmp' }, 'rprivate', BOUND],
        [{ Name: 'data' }, 'rprivate', BOUND],
        [{ Name: '0123abcd' }, '', BOUND],
      ],
    }),
  },
  '1.22/endpoint-fields': {
    summary: 'An endpoint shows its network id, configuration, links and aliases.',
    see: 'docs/api/v1.22.md, Inspect a container; engine-api types/network @v1.10.3; recorded on 1.9.1, 1.10.3',
    ops: [
      // Only in responses; networking-config and network-connect-endpoint handle requests.
      ...addedAll(onSide(EndpointSettings, 'response'), ['IPAMConfig', 'Links', 'Aliases'], { sample: {}, up: null }),
      added(onSide(EndpointSettings, 'response'), 'NetworkID', { sample: 'n', up: '' }),
      lookedUp(NetworkSettings, 'the ids of the networks are looked up', {
        asks: '/networks',
        lacks: ({ Networks: endpoints }, { engine }) => engine.highest >= HAS_NETWORKS && !isUnset(endpoints),
        finds: withNetworkIds,
        samples: [
          [
            { Networks: { bridge: {}, web: {} } },
            [{ Name: 'bridge', Id: 'n1' }],
            { Networks: { bridge: { NetworkID: 'n1' }, web: {} } },
          ],
        ],
      }),
      // Before the first start engine 1.9 shows no networks (recording 1.9.1, inspect-min), 1.10 the requested ones.
      retyped(NetworkSettings, 'Networks', {
        samples: { toOlder: [[{ bridge: { EndpointID: '' } }, null, { beside: { State: NEVER_STARTED } }]] },
        toOlder: (_networks, _settings, { client }, container) => {
          const state = objectOf(memberAt(container, 'State'))
          return client === 21 && Object.hasOwn(state, 'StartedAt') && wasNeverStarted(state) ? null : undefined
        },
      }),
    ],
  },
  '1.22/sandbox-kept': {
    summary: 'A stopped container keeps the sandbox of its last run; before, it had none.',
    see: 'recorded on 1.9.1 and 1.10.3 (inspect-exited)',
    ops: ['SandboxID', 'SandboxKey'].map((member) =>
      retyped(NetworkSettings, member, {
        samples: { toOlder: ofStopped('abc', '') },
        toOlder: (_sandbox, _settings, _context, container) => (isStopped(container) ? '' : undefined),
        words: `a stopped container has no ${member}`,
      }),
    ),
  },
} satisfies Changes
