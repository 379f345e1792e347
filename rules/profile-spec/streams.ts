import { below } from '../../src/api/shapes/shape.ts'
import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import type { Deviations } from '../../src/translate/change.ts'
import { byHand, recordDropped, retyped } from '../../src/translate/ops.ts'
import { statusOf } from '../by-hand/status-of.ts'
import { RAW_STREAM } from './names.ts'

const ASKED = 'logs.upgrade'

/** Event kinds documented from 1.19 on, and from 1.20 on (specification: 1.21). */
const OF_1_19 = new Set(['attach', 'commit', 'copy', 'rename', 'resize', 'top'])
const OF_1_20 = new Set(['import', 'pull', 'push', 'tag'])

export default {
  'spec/logs-hijacked': {
    clients: ['1.18', '1.22'],
    summary: 'Logs are a raw stream, and a client that asks for an upgrade gets 101.',
    see: 'specification, 4.1 and 7, logs; no engine from 1.6 to 29 answers logs with 101, or with this type',
    ops: byHand('ContainerLogs', 'a requested upgrade is granted', {
      part: 'head',
      requestUp: ({ headers }, { memory }) => {
        if (headers.get('Upgrade')?.toLowerCase() === 'tcp') memory.set(ASKED, true)
      },
      responseDown: (message, { memory }) => {
        message.headers.set('Content-Type', RAW_STREAM)
        if (memory.get(ASKED) === true && message.status === 200) message.status = 101
      },
    }),
    examples: {
      'ContainerLogs responseDown': [
        [
          { headers: {} },
          { status: 101, headers: { 'Content-Type': RAW_STREAM } },
          { asked: { query: 'stdout=1', headers: { Upgrade: 'tcp' } } },
        ],
        [{ headers: {} }, { status: 200, headers: { 'Content-Type': RAW_STREAM } }],
      ],
    },
  },
  'spec/stats-throttling-data': {
    clients: ['1.18', '1.18'],
    summary: 'throttling_data is an empty object.',
    see: 'specification, 2.3, stats; engine 1.6 sends the counters',
    ops: retyped(below(StatsRecord, 'cpu_stats'), 'throttling_data', {
      samples: [[{ periods: 0 }, {}]],
      toOlder: () => ({}),
    }),
  },
  'spec/event-kinds': {
    clients: ['1.18', '1.19'],
    summary: 'Events are of the kinds that the specification lists for the version.',
    see: 'specification, 6; engines 1.6 and 1.7 send import and pull, 1.7 also push and tag',
    ops: recordDropped(
      'SystemEvents',
      'kinds of later versions are left out',
      (record, { client }) => {
        const status = statusOf(record)
        return OF_1_20.has(status) || (client < 19 && OF_1_19.has(status))
      },
      { stripsNewer: true, drops: [{ status: 'attach' }] },
    ),
    examples: {
      'SystemEvents responseDown body.status': [
        ['pull', 'dropped', { client: '1.19' }],
        ['attach', 'attach', { client: '1.19' }],
      ],
    },
  },
} satisfies Deviations
