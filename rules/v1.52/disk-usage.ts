import type { JsonObject, JsonValue } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerListItem } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Change, gated, headRetyped } from '../../src/translate/ops.ts'
import { legacyUsage, nullUnlessAsked } from '../by-hand/disk-usage.ts'
import { usageByKind } from './usage-by-kind.ts'

/** Derives Health from the Status in a list; undefined if the number of failed checks is unknown. */
export const healthOf = ({ Status: status }: JsonObject): JsonValue | undefined => {
  const health = /\((healthy|unhealthy|health: starting)\)$/.exec(String(status))?.[1]
  if (health !== undefined && health !== 'healthy') return undefined
  return { Status: health ?? 'none', FailingStreak: 0 }
}

const LISTS = {
  BuildCache: null,
  Containers: [
    { Id: 'a', State: 'running', SizeRw: 5 },
    { Id: 'b', State: 'exited', SizeRw: 2 },
  ],
}
const HEALTHY = LISTS.Containers.map((container) => ({ ...container, Health: { Status: 'none', FailingStreak: 0 } }))
const COUNTED = { ActiveCount: 1, Reclaimable: 2, TotalCount: 2, TotalSize: 7 }

export const systemDf = {
  gate: 'prefix',
  summary: 'Disk usage has usage by kind, with totals; flat lists are sent only without verbose.',
  see: 'docs/api/version-history.md v1.52; system_routes.go:getDiskUsage @docker-v29.0.0; recordings `29-arrays` 231-system-df',
  ops: [
    // Disk usage shows it at every version (daemon/disk_usage.go:containerDiskUsage).
    ...gated(
      { gate: 'release' },
      added(onlyIn(ContainerListItem, 'SystemDataUsage'), 'Health', { sample: { Status: 'none' }, up: healthOf }),
      byHand('SystemDataUsage', 'kinds that were not requested are null', {
        responseDown: ({ body }, { call }) => nullUnlessAsked(body, call.query),
      }),
    ),
    // The bridge handles it.
    headRetyped('SystemDataUsage', 'query verbose', { toNewer: null, toOlder: null }),
    byHand('SystemDataUsage', 'flat lists are made from the items of each kind, and back', {
      stripsNewer: true,
      responseDown: ({ body }, { call }) => legacyUsage(body, call.query),
      responseUp: ({ body }, { call }) => usageByKind(body, call.query),
    }),
  ],
  examples: {
    'SystemDataUsage responseDown body': [
      [
        { Images: [], ImageUsage: { TotalSize: 7 }, ContainerUsage: { Items: [{ Id: 'c' }] } },
        { LayersSize: 7, Images: [], Containers: [{ Id: 'c' }], Volumes: [], BuildCache: [] },
      ],
      [
        { Volumes: [] },
        { LayersSize: 0, Images: null, Containers: null, Volumes: [], BuildCache: null },
        { asked: 'type=volume' },
      ],
    ],
    'SystemDataUsage responseUp body': [
      [
        { LayersSize: 9, Images: [], ...LISTS },
        { Containers: HEALTHY, BuildCache: [], ContainerUsage: { ...COUNTED, Items: HEALTHY }, BuildCacheUsage: {} },
        { asked: 'type=container&type=build-cache' },
      ],
      [LISTS, { ContainerUsage: { ...COUNTED, Items: HEALTHY } }, { asked: 'verbose=1&type=container' }],
    ],
  },
} satisfies Change

const BEFORE = 'keep-storage'
const AFTER = 'reserved-space'

export const keepStorageRenamed = {
  gate: 'prefix',
  from: '1.48', // engines from 28.0 on know both names
  summary: 'A prune of the build cache takes reserved-space instead of keep-storage; both since 1.48.',
  see: 'docs/api/version-history.md v1.48, v1.52; api/server/router/build/build_routes.go:postPrune @v28.5.2',
  ops: byHand('BuildPrune', 'the parameter is renamed', {
    part: 'head',
    requestUp: ({ query }) => {
      query.delete(AFTER) // unknown to the client's engines
      rename(query, BEFORE, AFTER)
    },
    requestDown: ({ query }) => {
      // The engine reads the old name if the new one is 0.
      if (/^[+-]?0*$/.test(query.get(AFTER) ?? '')) query.delete(AFTER)
      rename(query, AFTER, BEFORE)
    },
  }),
  examples: {
    'BuildPrune requestUp': [
      ['all=1&keep-storage=5', 'all=1&reserved-space=5'],
      ['keep-storage=5&reserved-space=7', 'reserved-space=5'],
    ],
    'BuildPrune requestDown': [
      ['all=1&reserved-space=5', 'all=1&keep-storage=5'],
      ['reserved-space=0&keep-storage=5', 'keep-storage=5'],
      ['reserved-space=&keep-storage=5', 'keep-storage=5'],
    ],
  },
} satisfies Change

function rename(query: URLSearchParams, from: string, to: string): void {
  const value = query.get(from)
  if (value === null) return
  query.delete(from)
  query.set(to, value)
}
