import { onSide, type Shape } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerInspect, ContainerState, ImageConfig } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import {
  added,
  addedAll,
  gated,
  isTrue,
  lookedUp,
  type Op,
  omittedWhenEmpty,
  only,
  queryAdded,
  removed,
} from '../../src/translate/ops.ts'
import { stateStatus } from '../by-hand/state-status.ts'
import { sizesOf } from '../emulate/looked-up.ts'

const ShownConfig = onSide(ContainerConfig, 'response')

const OMITTED = [
  ['MacAddress', ''],
  ['NetworkDisabled', false],
  ['ExposedPorts', null],
] as const

const omitted = (shape: Shape, options: { readonly bothWays?: true } = {}): Op[] =>
  OMITTED.map(([member, empty]) => omittedWhenEmpty(shape, member, empty, options))

/** Container inspect, without its network settings. */
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
      ...gated(
        { gate: 'prefix', from: '1.21' },
        ...only(
          { legs: ['responseUp'] },
          ...omitted(ShownConfig, { bothWays: true }),
          removed(ShownConfig, 'VolumeDriver', { down: '' }),
        ),
      ),
    ],
  },
} satisfies Changes
