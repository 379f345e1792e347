import { byHand, type Changes, emulated, recordDropped } from '../../src/translate/ops.ts'
import { isAfterUntil, untilAsksForThePast } from '../by-hand/event-window.ts'
import { historyAsBefore112 } from '../emulate/event-history.ts'

const LOOK = 'GET /events?since=0&until=0'
const event = (time: number): object => ({ status: 'start', timeNano: time * 1e9 })
const answer = (...events: readonly object[]): { body: string } => ({
  body: Buffer.from(events.map((one) => JSON.stringify(one)).join('\n')).toString('base64'),
})
const many = Array.from({ length: 70 }, (_, i) => event(i + 1))

export default {
  '1.24/events-window': {
    summary:
      'Past events end with until, which selects them even without since; up to engine 1.11 only since selects them, until only ends the stream, and 64 events are remembered.',
    see: 'api/server/router/system/system_routes.go:getEvents, daemon/events/events.go @v1.11.2, @v1.12.6; seen on engines 1.9.1, 1.10.3 and 20.10; recordings of 1.10.3 and 1.12.6, events-empty-window',
    ops: [
      emulated('SystemEvents', 'past events start with since and the 64 newest ones, and do not end with until', {
        part: 'head',
        requestUp: historyAsBefore112,
      }),
      byHand('SystemEvents', 'until selects past events', { part: 'head', requestDown: untilAsksForThePast }),
      recordDropped(
        'SystemEvents',
        'events after until are left out',
        (record, context) => isAfterUntil(record, context, true),
        {
          leg: 'responseUp',
        },
      ),
    ],
    examples: {
      'SystemEvents requestUp': [
        ['until=5', 'since=5.000000000&until=5'],
        ['since=-1&until=0', ''],
        [
          'since=-62167219200&until=5',
          'since=3.000000000&until=7.000000000',
          { calls: { [LOOK]: answer(event(3), event(7)) } },
        ],
        ['since=0', 'since=7.000000000', { calls: { [LOOK]: answer(...many) } }],
        ['since=9&until=6', 'since=6.000000000&until=6', { calls: { [LOOK]: answer(event(3)) } }],
      ],
      'SystemEvents requestDown': [
        ['until=5', 'since=1&until=5'],
        ['since=6&until=5', /^`since` time \(6\) cannot be after `until` time \(5\)$/],
      ],
      'SystemEvents responseUp': [
        [{ query: 'since=1&until=5', body: { status: 'die', time: 5, timeNano: 5_000_000_001 } }, 'dropped'],
        [{ query: 'since=1&until=5', body: { status: 'die', time: 5 } }, { body: { status: 'die', time: 5 } }],
      ],
    },
  },
} satisfies Changes
