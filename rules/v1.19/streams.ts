import { words } from '../../src/config/text.ts'
import type { Changes } from '../../src/translate/change.ts'
import { gated, headRetyped, only, queryAdded, recordDropped, refusedAsFound } from '../../src/translate/ops.ts'
import { isAfterUntil, sinceFor16, sinceOf16, untilFor16, untilOf16 } from '../by-hand/event-window.ts'
import { statusOf } from '../by-hand/status-of.ts'

/** The API of engine 1.7, the only one that answers the logs of an unknown container with 200 and a text. */
const ENGINE_1_7 = 19

/** Container events that engines up to 1.7 do not send, although the document of 1.19 has them (LogEvent @v1.7.1, @v1.8.3). */
const NEWER_ACTIONS = new Set(words('attach commit copy rename resize top archive-path extract-to-dir'))

export default {
  '1.19/logs-since': {
    summary: 'Logs can start at a given time.',
    see: 'docs/api/v1.19.md, Get container logs; api/server/server.go:getContainersLogs @v1.7.1',
    // Filtering lines here would mean parsing the frames of the stream: refused instead.
    ops: queryAdded('ContainerLogs', 'since', {
      sample: '5',
      onLoss: 'refuse',
      neutral: (value) => Number(value) <= 0,
    }),
    examples: { 'ContainerLogs requestDown': [['stdout=1&since=-62167219200', 'stdout=1']] },
  },
  '1.19/logs-unknown-container': {
    summary: 'Only engine 1.7 answers 200 for the logs of an unknown container.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs-404',
    ops: gated(
      { from: '1.20', legs: ['requestDown'] },
      refusedAsFound('ContainerLogs', 'on engine 1.7 the container is inspected first', {
        asks: '/containers/{name}/json',
        unless: ({ engine }) => engine.highest !== ENGINE_1_7,
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
