import { type JsonObject, type JsonValue, objectOf } from '../../src/api/json/json.ts'
import { below } from '../../src/api/shapes/shape.ts'
import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import {
  added,
  headRetyped,
  isTrue,
  only,
  queryAdded,
  recordDropped,
  responseHeader,
  retyped,
} from '../../src/translate/ops.ts'
import { NO_THROTTLING, noCpu } from '../emulate/stats-container.ts'

const CurrentCpu = below(StatsRecord, 'cpu_stats')
const PREVIOUS = 'stats.previous'

/** `cpu_stats` of the previous record; zeros in the first one. */
function precpuStats(record: JsonObject, { memory }: StepContext): JsonValue {
  const previous = memory.get(PREVIOUS) ?? noCpu()
  memory.set(PREVIOUS, record['cpu_stats'] ?? noCpu())
  return previous
}

const ONCE = 'stats.once'

function onlySecond(_record: unknown, { call, memory }: StepContext): boolean | 'last' {
  const stream = call.query.get('stream')
  if (stream === null || isTrue(stream)) return false
  const isFirst = !memory.has(ONCE)
  memory.set(ONCE, true)
  return isFirst || 'last'
}

export default {
  '1.19/stats-precpu': {
    summary: 'A stats record contains the previous reading.',
    see: 'docs/api/v1.19.md, Get container stats; api/types/stats.go @v1.7.1',
    ops: added(StatsRecord, 'precpu_stats', {
      sample: {},
      up: precpuStats,
      upSamples: [[{ cpu_stats: {} }, noCpu()]],
    }),
  },
  '1.19/stats-stream-param': {
    summary: 'Stats can be read once instead of as a stream.',
    see: 'docs/api/v1.19.md, Get container stats; api/server/server.go:getContainersStats @v1.6.2, @v1.7.1',
    ops: [
      // 1.6 always sends a stream.
      ...only(
        { legs: ['requestUp'] },
        queryAdded('ContainerStats', 'stream', { sample: '0', onLoss: 'ignore', request: 'always' }),
        queryAdded('ContainerStats', 'one-shot', { sample: '1', onLoss: 'ignore', request: 'always' }),
      ),
      headRetyped('ContainerStats', 'query stream', { samples: { toOlder: [['false', null]] }, toOlder: () => null }),
      // The second record, because the first has no previous reading.
      recordDropped('ContainerStats', 'one reading is the second record of the stream', onlySecond, {
        leg: 'responseUp',
      }),
    ],
    examples: { 'ContainerStats responseUp body.read': [['t', 'dropped', { asked: 'stream=false' }]] },
  },
  '1.19/stats-throttling-data': {
    summary: 'throttling_data is documented with three counters, in 1.18 as {}; every engine sends the counters.',
    see: 'docs/api/v1.18.md, v1.19.md; api/stats/stats.go @v1.6.2',
    ops: retyped(CurrentCpu, 'throttling_data', {
      samples: { toNewer: [[{}, NO_THROTTLING]] },
      toNewer: (counters) => ({ ...NO_THROTTLING, ...objectOf(counters) }),
      words: 'missing counters are zero',
    }),
  },
  '1.19/stats-content-type': {
    summary: 'A stats stream no longer has the type application/json.',
    see: 'api/server/server.go:getContainersStats @v1.6.2, @v1.7.1; recordings of 1.7.1 and 1.8.3, stats-stream',
    ops: responseHeader('ContainerStats', 'Content-Type', { before: 'application/json' }),
  },
} satisfies Changes
