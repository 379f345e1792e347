import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { isAfterUntil, zeroIsAll, zeroIsNone } from '../by-hand/event-window.ts'

export default [
  {
    id: '1.19/events-until-history',
    gate: 'release',
    summary:
      'Any since but none and -1 asks for past events, until does not shorten them, and what is no number is refused; engine 1.6 took 0 and what is no number for none, and ended the past with the second of until.',
    see: 'events/events.go:Get @v1.6.2; api/server/server.go:getEvents @v1.7.1; engines 1.6.2, 1.9.1 and 1.10.3 asked; recordings of 1.6.2, 1.7.1 and 1.10.3, events-empty-window',
    ops: [
      byHand('SystemEvents', 'since and until of 0 are none, and negative ones are moments', {
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
    examples: [
      { on: 'SystemEvents', leg: 'requestUp', before: { query: 'since=0&until=0' }, after: { query: '' } },
      { on: 'SystemEvents', leg: 'requestUp', before: { query: 'since=abc&until=5' }, after: { query: 'until=5' } },
      {
        on: 'SystemEvents',
        leg: 'requestUp',
        before: { query: 'since=-62167219200&until=9' },
        after: { query: 'since=1&until=9' },
      },
      { on: 'SystemEvents', leg: 'requestUp', before: { query: 'since=4&until=-1' }, after: { query: 'until=1' } },
      { on: 'SystemEvents', leg: 'requestDown', before: { query: 'since=0' }, after: { query: 'since=1' } },
      { on: 'SystemEvents', leg: 'requestDown', before: { query: 'since=-1&until=-5' }, after: { query: '' } },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { query: 'since=1&until=5', body: { status: 'die', time: 6 } },
        after: 'dropped',
      },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { query: 'since=1&until=5', body: { status: 'die', time: 5 } },
        after: { body: { status: 'die', time: 5 } },
      },
    ],
  },
] satisfies Change[]
