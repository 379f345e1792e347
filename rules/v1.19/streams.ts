import type { Change } from '../../src/translate/change.ts'
import { emulated, gated, queryAdded, recordDropped } from '../../src/translate/ops.ts'
import { statusOf } from '../by-hand/status-of.ts'
import { refuseUnknownContainer } from '../emulate/refusals.ts'

/** Container events that engines up to 1.7 do not send, although the document of 1.19 has them (LogEvent @v1.7.1, @v1.8.3). */
const NEWER_ACTIONS = new Set([
  ...['attach', 'commit', 'copy', 'rename', 'resize', 'top'],
  ...['archive-path', 'extract-to-dir'],
])

export default [
  {
    id: '1.19/logs-since',
    gate: 'release',
    summary: 'Logs can start at a given time.',
    see: 'docs/api/v1.19.md, Get container logs; api/server/server.go:getContainersLogs @v1.7.1',
    // Filtering lines here would mean parsing the frames of the stream: refused instead.
    ops: [
      queryAdded('ContainerLogs', 'since', { sample: '5', onLoss: 'refuse', neutral: (value) => Number(value) <= 0 }),
    ],
    examples: {
      'ContainerLogs requestDown': [
        ['stdout=1&since=0', 'stdout=1'],
        ['stdout=1&since=-62167219200', 'stdout=1'],
      ],
    },
  },
  {
    id: '1.19/logs-unknown-container',
    gate: 'release',
    summary: 'Only engine 1.7 answers 200 for the logs of an unknown container.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs-404',
    ops: [
      emulated('ContainerLogs', 'on engine 1.7 the container is inspected first', {
        part: 'head',
        requestUp: refuseUnknownContainer,
      }),
      ...gated(
        { from: '1.20' },
        emulated('ContainerLogs', 'on engine 1.7 the container is inspected first', {
          part: 'head',
          requestDown: refuseUnknownContainer,
        }),
      ),
    ],
    examples: {
      'ContainerLogs requestUp': [
        [
          'stdout=1',
          /^no such id: nosuch$/,
          {
            params: { name: 'nosuch' },
            calls: { 'GET /containers/nosuch/json': { status: 404, body: 'no such id: nosuch' } },
          },
        ],
      ],
      'ContainerLogs requestDown': [
        [
          'stdout=1',
          'stdout=1',
          {
            client: '1.24',
            engine: '1.19',
            params: { name: 'web' },
            calls: { 'GET /containers/web/json': { body: {} } },
          },
        ],
        [
          'stdout=1',
          /^no such id: nosuch$/,
          {
            client: '1.24',
            engine: '1.19',
            params: { name: 'nosuch' },
            calls: { 'GET /containers/nosuch/json': { status: 404, body: 'no such id: nosuch' } },
          },
        ],
        ['stdout=1', 'stdout=1', { client: '1.24', engine: '1.18' }],
      ],
    },
  },
  {
    id: '1.19/events-more-container-actions',
    gate: 'release',
    // Documented in 1.19, but sent from engine 1.8 on.
    from: '1.20',
    summary: 'Attaching, committing, copying, renaming, resizing and top are events of a container.',
    see: 'docs/api/v1.19.md, Monitor events; LogEvent( @v1.7.1, @v1.8.3; recording 1.8.3 at 1.20, events-lifecycle',
    ops: [
      recordDropped(
        'SystemEvents',
        'these events are left out',
        (record, { client, policy }) =>
          NEWER_ACTIONS.has(statusOf(record)) && !(client === 19 && policy.profile === 'spec'),
        { stripsNewer: true, drops: [{ status: 'attach', id: 'a' }], keeps: [{ status: 'start', id: 'a' }] },
      ),
    ],
    examples: {
      'SystemEvents responseDown body.status': [['attach', 'attach', { client: '1.19', profile: 'spec' }]],
    },
  },
] satisfies Change[]
