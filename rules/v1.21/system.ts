import { fromInteger, integer } from '../../src/api/json/json.ts'
import { EventRecord, Info } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand } from '../../src/translate/ops.ts'
import { readFilters, takeFilter } from '../by-hand/filters.ts'

export default [
  {
    id: '1.21/info-server-version',
    gate: 'release',
    summary: 'Info tells the engine’s own version and its cluster store.',
    see: 'docs/api/v1.21.md, Display system-wide information; api/types/types.go Info @v1.9.1',
    ops: [
      // What GET /version said when the engine was discovered.
      added(Info, 'ServerVersion', { up: (_info, { engine }) => engine.release, onLoss: 'ignore' }),
      ...addedAll(Info, ['ClusterStore', 'ClusterAdvertise'], { up: '', onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NCPU: 2, ServerVersion: '1.9.1', ClusterStore: '', ClusterAdvertise: '' } },
        after: { body: { NCPU: 2 } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { NCPU: 2 } },
        after: { body: { NCPU: 2, ServerVersion: '', ClusterStore: '', ClusterAdvertise: '' } },
      },
    ],
  },
  {
    id: '1.21/info-cpushares-cpuset',
    gate: 'release',
    // The changelog names 1.21, the member came with engine 1.10 (api/types/types.go Info @v1.9.1 lacks it).
    from: '1.22',
    summary: 'Info tells whether CPU shares and CPU sets are supported.',
    see: 'docs/api/version-history.md v1.21; recordings 1.9.1 and 1.10.3, info',
    ops: addedAll(Info, ['CPUShares', 'CPUSet'], { up: true, onLoss: 'ignore' }),
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { NCPU: 2, CPUShares: true, CPUSet: true } },
        after: { body: { NCPU: 2 } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { NCPU: 2 } },
        after: { body: { NCPU: 2, CPUShares: true, CPUSet: true } },
      },
    ],
  },
  {
    id: '1.21/events-time-nano',
    gate: 'release',
    summary: 'Events carry their time in nanoseconds.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; pkg/jsonmessage @v1.9.1',
    ops: [
      added(EventRecord, 'timeNano', {
        up: (event) => {
          const seconds = integer(event['time'])
          return seconds === undefined ? undefined : fromInteger(seconds * 1_000_000_000n)
        },
        onLoss: 'ignore',
      }),
    ],
    examples: [
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { body: { status: 'die', time: 5, timeNano: 5000000001 } },
        after: { body: { status: 'die', time: 5 } },
      },
      {
        on: 'SystemEvents',
        leg: 'responseUp',
        before: { body: { status: 'die', time: 5 } },
        after: { body: { status: 'die', time: 5, timeNano: 5000000000 } },
      },
    ],
  },
  {
    id: '1.21/events-label-filter',
    gate: 'release',
    summary: 'Events can be filtered by the labels of what they are about.',
    see: 'docs/api/v1.21.md, Monitor Docker’s events; daemon/events/filter.go @v1.9.1',
    // The labels of a container that is gone cannot be asked for any more, so a filter of our own would lose events: an
    // engine without it is not asked at all.
    ops: [
      byHand('SystemEvents', 'the filter label is taken out: earlier engines ignored it', {
        part: 'head',
        stripsNewer: true,
        requestUp: ({ query }, context, change) => {
          if (takeFilter(query, 'label') !== undefined) context.ignore('filter label', change.id)
        },
      }),
      byHand('SystemEvents', 'a filter by label is refused: an engine without it would send every event', {
        onLoss: 'refuse',
        part: 'head',
        requestDown: ({ query }, context, { id, version }) => {
          if ((readFilters(query).get('label') ?? []).length > 0)
            context.lose({ what: 'filter label', needs: version, change: id, onLoss: 'refuse' })
        },
      }),
    ],
    examples: [
      {
        on: 'SystemEvents',
        leg: 'requestUp',
        before: { query: 'since=1&filters={"label":["a=b"],"event":["die"]}' },
        after: { query: 'since=1&filters={"event":["die"]}' },
      },
      {
        on: 'SystemEvents',
        leg: 'requestDown',
        before: { query: 'filters={"label":{"a=b":true}}' },
        after: { refused: /filter label .* needs API 1\.21/ },
      },
      {
        on: 'SystemEvents',
        leg: 'requestDown',
        before: { query: 'filters={"event":["die"]}' },
        after: { query: 'filters={"event":["die"]}' },
      },
    ],
  },
] satisfies Change[]
