import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { isAfterUntil, zeroIsAll, zeroIsNone } from '../by-hand/event-window.ts'

export default [
  {
    id: '1.19/events-until-history',
    gate: 'release',
    summary:
      'Every since except -1 selects past events, until does not limit them, and an invalid number is refused; engine 1.6 treated 0 and invalid numbers as unset, and ended past events with the second of until.',
    see: 'events/events.go:Get @v1.6.2; api/server/server.go:getEvents @v1.7.1; seen on engines 1.6.2, 1.9.1 and 1.10.3; recordings of 1.6.2, 1.7.1 and 1.10.3, events-empty-window',
    ops: [
      byHand('SystemEvents', 'since and until of 0 are unset, negative ones are moments', {
        part: 'head',
        profile: 'engine',
        requestUp: zeroIsNone,
        requestDown: zeroIsAll,
      }),
      byHand('SystemEvents', 'events after the second of until are left out', {
        profile: 'engine',
        responseDown: ({ body }, context) => (isAfterUntil(body, context, false) ? 'drop' : undefined),
      }),
    ],
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
] satisfies Change[]
