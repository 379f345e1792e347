import { fromInteger, integer } from '../../src/api/json/json.ts'
import { EventRecord, Info } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, filterAdded } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.21/info-server-version',
    gate: 'release',
    summary: 'Info has the engine’s own version and its cluster store.',
    see: 'docs/api/v1.21.md, Display system-wide information; api/types/types.go Info @v1.9.1',
    ops: [
      // From GET /version at the discovery of the engine.
      added(Info, 'ServerVersion', { sample: '1.9.1', up: (_info, { engine }) => engine.release }),
      ...addedAll(Info, ['ClusterStore', 'ClusterAdvertise'], { sample: 'x', up: '' }),
    ],
  },
  {
    id: '1.21/info-cpushares-cpuset',
    gate: 'release',
    // The changelog names 1.21, but the member came with engine 1.10 (api/types/types.go Info @v1.9.1 lacks it).
    from: '1.22',
    summary: 'Info shows whether CPU shares and CPU sets are supported.',
    see: 'docs/api/version-history.md v1.21; recordings 1.9.1 and 1.10.3, info',
    ops: addedAll(Info, ['CPUShares', 'CPUSet'], { sample: true, up: true }),
  },
  {
    id: '1.21/events-time-nano',
    gate: 'release',
    summary: 'Events have their time in nanoseconds.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; pkg/jsonmessage @v1.9.1',
    ops: [
      added(EventRecord, 'timeNano', {
        sample: 5000000001,
        up: (event) => {
          const seconds = integer(event['time'])
          return seconds === undefined ? undefined : fromInteger(seconds * 1_000_000_000n)
        },
      }),
    ],
    examples: { 'SystemEvents responseUp body': [[{ time: 5 }, { time: 5, timeNano: 5000000000 }]] },
  },
  {
    id: '1.21/events-label-filter',
    gate: 'release',
    summary: 'Events can be filtered by the labels of their objects.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; daemon/events/filter.go @v1.9.1',
    // The bridge cannot filter instead: the labels of a removed container are unknown, so events would be lost.
    ops: [
      // An engine without the filter would send all events.
      filterAdded('SystemEvents', 'label', { ignored: true, newer: 'refuse' }),
    ],
  },
] satisfies Change[]
