import { type JsonObject, type JsonValue, objectOf } from '../../src/api/json/json.ts'
import { below } from '../../src/api/shapes/shape.ts'
import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import { words } from '../../src/config/text.ts'
import type { StepContext } from '../../src/translate/message.ts'
import {
  added,
  type Changes,
  gated,
  headRetyped,
  isTrue,
  only,
  queryAdded,
  recordDropped,
  refusedAsFound,
  retyped,
} from '../../src/translate/ops.ts'
import { isAfterUntil, sinceFor16, sinceOf16, untilFor16, untilOf16 } from '../by-hand/event-window.ts'
import { statusOf } from '../by-hand/status-of.ts'
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

/** Container events that engines up to 1.7 do not send, although the document of 1.19 has them (LogEvent @v1.7.1, @v1.8.3). */
const NEWER_ACTIONS = new Set(words('attach commit copy rename resize top archive-path extract-to-dir'))

export default {
  '1.19/stats-precpu': {
    summary: 'A stats record contains the previous reading.',
    see: 'docs/api/v1.19.md, Get container stats; api/types/stats.go @v1.7.1',
    ops: added(StatsRecord, 'precpu_stats', { sample: {}, up: precpuStats, upSamples: [[{ cpu_stats: {} }, noCpu()]] }),
  },
  '1.19/stats-stream-param': {
    summary: 'Stats can be read once instead of as a stream.',
    see: 'docs/api/v1.19.md, Get container stats; api/server/server.go:getContainersStats @v1.6.2, @v1.7.1',
    ops: [
      // 1.6 always sends a stream. Engines from 1.7 on obey it at every prefix, and its senders wait for the response's end.
      ...only(
        { legs: ['requestUp'] },
        queryAdded('ContainerStats', 'stream', { sample: '0', onLoss: 'ignore', request: 'keep' }),
        queryAdded('ContainerStats', 'one-shot', { sample: '1', onLoss: 'ignore', request: 'always' }),
      ),
      headRetyped('ContainerStats', 'query stream', { toOlder: null }),
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
      samples: [[{}, NO_THROTTLING]],
      toNewer: (counters) => ({ ...NO_THROTTLING, ...objectOf(counters) }),
      description: 'missing counters are zero',
    }),
  },
  '1.19/stats-content-type': {
    summary: 'A stats stream no longer has the type application/json.',
    see: 'api/server/server.go:getContainersStats @v1.6.2, @v1.7.1; recordings of 1.7.1 and 1.8.3, stats-stream',
    ops: headRetyped('ContainerStats', 'response header Content-Type', { toOlder: 'application/json' }),
  },
  '1.19/logs-since': {
    summary: 'Logs can start at a given time.',
    see: 'docs/api/v1.19.md, Get container logs; api/server/server.go:getContainersLogs @v1.7.1',
    // Filtering lines here would mean parsing the frames of the stream: refused instead.
    ops: queryAdded('ContainerLogs', 'since', { sample: '5', onLoss: 'refuse', neutral: (text) => Number(text) <= 0 }),
    examples: { 'ContainerLogs requestDown': [['stdout=1&since=-62167219200', 'stdout=1']] },
  },
  '1.19/logs-unknown-container': {
    summary: 'Only engine 1.7 answers 200 for the logs of an unknown container.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs-404',
    ops: gated(
      { from: '1.20', legs: ['requestDown'] },
      refusedAsFound('ContainerLogs', 'on engine 1.7 the container is inspected first', {
        asks: '/containers/{name}/json',
        unless: ({ engine }) => engine.highest !== 19,
        legs: ['requestUp', 'requestDown'],
        says: 'not-found',
        finds: ({ status, error }) => (status === 404 ? error : undefined),
        samples: [[{ status: 404, body: 'no such id: x' }, 'no such id: x']],
        stay: [{ body: {} }],
      }),
    ),
    examples: { 'ContainerLogs requestDown': [['stdout=1', 'stdout=1', { client: '1.24', engine: '1.18' }]] },
  },
  '1.19/events-more-container-actions': {
    // Documented in 1.19, but sent from engine 1.8 on.
    from: '1.20',
    summary: 'Attaching, committing, copying, renaming, resizing and top are events of a container.',
    see: 'docs/api/v1.19.md, Monitor events; LogEvent( @v1.7.1, @v1.8.3; recording 1.8.3 at 1.20, events-lifecycle',
    ops: recordDropped(
      'SystemEvents',
      'these events are left out',
      (record, { client, policy }) =>
        NEWER_ACTIONS.has(statusOf(record)) && !(client === 19 && policy.profile === 'spec'),
      { stripsNewer: true, drops: [{ status: 'attach', id: 'a' }], keeps: [{ status: 'start', id: 'a' }] },
    ),
    examples: { 'SystemEvents responseDown body.status': [['attach', 'attach', { client: '1.19', profile: 'spec' }]] },
  },
  '1.19/events-until-history': {
    summary: 'Every since but -1 selects past events, and invalid numbers are refused; on engine 1.6 they are unset.',
    see: 'events/events.go:Get @v1.6.2; api/server/server.go:getEvents @v1.7.1; seen on engines 1.6.2, 1.9.1 and 1.10.3; recordings of 1.6.2, 1.7.1 and 1.10.3, events-empty-window',
    ops: only(
      { profile: 'engine' },
      // The last op runs first on requestDown, the first one on requestUp: since is read beside the until that was sent.
      headRetyped('SystemEvents', 'query since', { toNewer: sinceOf16, toOlder: sinceFor16 }),
      headRetyped('SystemEvents', 'query until', { toNewer: untilOf16, toOlder: untilFor16 }),
      // Engines from 1.7 on do not limit past events by until.
      recordDropped('SystemEvents', 'events after the second of until are left out', (record, context) =>
        isAfterUntil(record, context, false),
      ),
    ),
    examples: {
      'SystemEvents requestUp': [
        ['since=0&until=0', ''],
        ['since=abc&until=5', 'until=5'],
        ['since=-62167219200&until=9', 'since=1&until=9'],
        ['since=4&until=-1', 'until=1'],
      ],
      'SystemEvents requestDown': [
        ['since=0', 'since=1'],
        ['since=-1&until=-5', ''],
      ],
      'SystemEvents responseDown': [
        [{ query: 'since=1&until=5', body: { status: 'die', time: 6 } }, 'dropped'],
        [{ query: 'since=1&until=5', body: { status: 'die', time: 5 } }, { body: { status: 'die', time: 5 } }],
      ],
    },
  },
} satisfies Changes
