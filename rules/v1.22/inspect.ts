import { isUnset, type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import {
  ContainerInspect,
  ContainerState,
  EndpointSettings,
  MountPoint,
  NetworkSettings,
} from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { editFilters } from '../../src/translate/ops/calls/filter-values.ts'
import {
  added,
  addedAll,
  byHand,
  type Changes,
  filterValuesAdded,
  lookedUp,
  removed,
  retyped,
} from '../../src/translate/ops.ts'
import { bindsOf } from '../by-hand/binds.ts'
import { LISTS, Listed } from '../by-hand/places.ts'
import { sinceBeforeAsFilters, sinceBeforeAsParameters, withoutStopped } from '../by-hand/since-before.ts'
import { isStopped, NEVER_STARTED, ofStopped, wasNeverStarted } from '../by-hand/state-status.ts'
import { withNetworkIds } from '../emulate/looked-up-networks.ts'

/** All operations of these versions with `filters`. */
const FILTERED = [...LISTS, 'ImageList', 'SystemEvents', 'VolumeList', 'NetworkList'] as const

/** The default of engine 1.10: '' for anonymous volumes, rprivate for entries of Binds. */
function defaultPropagation(mount: JsonObject, _context: StepContext, container: JsonValue | undefined): JsonValue {
  const name = mount['Name']
  if (typeof name !== 'string' || name === '') return 'rprivate'
  const binds = bindsOf(memberAt(container, 'HostConfig'))
  return binds.some(([source, target]) => source === name && target !== undefined) ? 'rprivate' : ''
}

const BOUND = { beside: { HostConfig: { Binds: ['/tmp:/t', 'data:/d'] } } }

export default {
  '1.22/list-network-settings': {
    summary: 'The list of containers shows endpoints.',
    see: 'docs/api/v1.22.md, List containers; daemon/list.go:transformContainer @v1.10.3',
    ops: added(Listed, 'NetworkSettings', { sample: { Networks: { bridge: {} } }, up: { Networks: {} } }),
  },
  '1.22/filter-dead-isolation': {
    summary: 'Containers can be filtered by their isolation; the filter status=dead is documented.',
    see: 'docs/api/v1.22.md, List containers; daemon/list.go, container/state.go:IsValidStateString (dead from 1.8 on)',
    // Every container of a Linux engine has the default isolation.
    ops: filterValuesAdded(LISTS, 'isolation', { before: ['default', ''] }),
  },
  '1.22/filters-before-since': {
    summary: 'The list of containers has filters since and before; the parameters have no effect from engine 1.12 on.',
    see: 'daemon/list.go @v1.9.1, @v1.10.3, @v1.12.6; recorded on 1.9.1, 1.10.3, 20.10.24 (list-since)',
    ops: [
      ...sinceBeforeAsFilters,
      byHand(LISTS, 'the filters become parameters', { part: 'head', requestDown: sinceBeforeAsParameters }),
      byHand(LISTS, 'stopped containers are left out', { responseUp: withoutStopped }),
    ],
    examples: {
      'ContainerList requestDown': [['filters={"since":{"abc":true}}', 'since=abc']],
      'ContainerList responseUp body': [
        [[{ Status: 'Exited (0) 2 hours ago' }], [], { asked: 'filters={"since":["abc"]}' }],
      ],
    },
  },
  '1.22/filters-map-format': {
    summary: 'Filters can be maps of maps; before, only maps of lists.',
    see: 'pkg/parsers/filters @v1.9.1 (500 on the map form); engine-api types/filters/parse.go:FromParam @v1.10.3',
    ops: byHand(FILTERED, 'filters are written as lists', {
      part: 'head',
      requestDown: ({ query }) => editFilters(query, () => undefined, 'list'),
    }),
    examples: {
      'ContainerList requestDown': [
        ['filters={"x":{"a":true}}', 'filters={"x":["a"]}'],
        ['filters={"x":["a"]}&y=1'],
        ['filters=notjson'],
      ],
    },
  },
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
        lacks: ({ Networks: endpoints }, { engine }) => engine.highest >= 21 && !isUnset(endpoints), // engine 1.9 is the first with networks
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
        samples: [[{ bridge: { EndpointID: '' } }, null, { beside: { State: NEVER_STARTED } }]],
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
        samples: ofStopped('abc', ''),
        toOlder: (_sandbox, _settings, _context, container) => (isStopped(container) ? '' : undefined),
        description: `a stopped container has no ${member}`,
      }),
    ),
  },
} satisfies Changes
