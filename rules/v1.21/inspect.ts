import { isObject, isUnset, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerInspect, ContainerState, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import {
  added,
  addedAll,
  byHand,
  emulated,
  gated,
  omittedWhenEmpty,
  only,
  queryAdded,
} from '../../src/translate/ops.ts'
import { stateStatus } from '../by-hand/state-status.ts'
import { sizesFromList } from '../emulate/looked-up.ts'

const ShownConfig = onSide(ContainerConfig, 'response')

const OMITTED = [
  ['MacAddress', ''],
  ['NetworkDisabled', false],
  ['ExposedPorts', null],
] as const

function leaveOut(body: JsonValue | undefined, member: string): void {
  const config = memberAt(body, 'Config')
  if (isObject(config) && isUnset(config[member])) delete config[member]
}

/** HostConfig has it at every version. */
function leaveOutDriver(body: JsonValue | undefined): void {
  const { Config: config, HostConfig: hostConfig } = objectOf(body)
  if (!isObject(config)) return
  if (
    isUnset(config['VolumeDriver']) ||
    (isObject(hostConfig) && hostConfig['VolumeDriver'] === config['VolumeDriver'])
  )
    delete config['VolumeDriver']
}

/** Container inspect, without its network settings. */
export default [
  {
    id: '1.21/inspect-size',
    gate: 'release',
    summary: 'Inspect can show the sizes of a container.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/inspect.go ContainerInspect @v1.9.1',
    ops: [
      ...only({ legs: ['requestUp'] }, queryAdded('ContainerInspect', 'size', { sample: '1', onLoss: 'ignore' })),
      ...addedAll(ContainerInspect, ['SizeRw', 'SizeRootFs'], { sample: 2, onLoss: 'ignore' }),
      // Engines up to 25 do not show them below 1.21 either (containerInspectPre120, containerInspect120).
      ...gated(
        { gate: 'prefix' },
        emulated('ContainerInspect', 'the sizes are taken from the list', { responseUp: sizesFromList }),
      ),
    ],
    examples: {
      'ContainerInspect responseUp': [
        [
          { query: 'size=1', body: { Id: 'c1' } },
          { body: { Id: 'c1', SizeRw: 0, SizeRootFs: 1982449 } },
          {
            calls: { 'GET /containers/json?all=1&size=1': { body: [{ Id: 'c2' }, { Id: 'c1', SizeRootFs: 1982449 }] } },
          },
        ],
      ],
      'ContainerInspect responseUp body.Id': [['c1']],
    },
  },
  {
    id: '1.21/state-status',
    gate: 'release',
    summary: 'The state of a container has Status, a single word.',
    see: 'docs/api/v1.21.md, Inspect a container; daemon/state.go StateString, api/types/types.go ContainerState @v1.9.1',
    ops: [added(ContainerState, 'Status', { sample: 'running', up: stateStatus, onLoss: 'ignore' })],
    examples: {
      'ContainerInspect responseUp': (
        [
          [{ Running: true, Paused: true }, 'paused'],
          [{ Running: true, Restarting: true }, 'restarting'],
          [{ Running: true, Paused: false }, 'running'],
          [{ Running: false, Dead: true }, 'dead'],
          [{ Running: false, StartedAt: '0001-01-01T00:00:00Z' }, 'created'],
          [{ Running: false, StartedAt: '2026-11-20T15:53:01.767366264Z' }, 'exited'],
        ] as const
      ).map(([state, Status]) => [{ body: { State: state } }, { body: { State: { ...state, Status } } }] as const),
    },
  },
  {
    id: '1.21/config-omit-empty',
    gate: 'release',
    // Engine 1.8 omits them at every prefix; engines 1.9 to 25 show them again below prefix 1.21.
    from: '1.20',
    summary: 'MacAddress, NetworkDisabled and ExposedPorts of the config are left out when empty.',
    see: 'api/types/versions/v1p20/types.go ContainerConfig @v1.9.1; recordings 1.7.1, 1.8.3 and 1.9.1 at 1.20, inspect-min',
    ops: [
      // An image's config omits them too (recordings 1.7.1 and 1.8.3, image-inspect), on all engines from 1.8 on.
      ...OMITTED.flatMap(([member, empty]) =>
        [ShownConfig, ImageConfig].map((shape) => omittedWhenEmpty(shape, member, empty)),
      ),
      ...gated({ from: '1.21' }, ...OMITTED.map(([member, empty]) => omittedWhenEmpty(ShownConfig, member, empty))),
      // These engines show them, and VolumeDriver, also to a target pinned below the client's version.
      ...gated(
        { gate: 'prefix', from: '1.21' },
        byHand('ContainerInspect', 'empty members are left out whatever the requested version', {
          responseUp: ({ body }) => {
            for (const [member] of OMITTED) leaveOut(body, member)
            leaveOutDriver(body)
          },
        }),
      ),
    ],
    examples: {
      'ContainerInspect responseDown body.Config': [
        [
          { Image: 'busybox', NetworkDisabled: true },
          { Image: 'busybox', NetworkDisabled: true, MacAddress: '', ExposedPorts: null },
        ],
      ],
      'ContainerInspect responseUp body.Config': [
        [
          { Image: 'busybox', MacAddress: '', NetworkDisabled: false, ExposedPorts: null, VolumeDriver: '' },
          { Image: 'busybox' },
          { client: '1.21' },
        ],
      ],
    },
  },
] satisfies Change[]
