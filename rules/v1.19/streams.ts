import { isObject } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, emulated, gated, queryAdded } from '../../src/translate/ops.ts'
import { refuseUnknownContainer } from '../emulate/logs-known.ts'

/** Container events that engines up to 1.7 do not have, whatever the document of 1.19 says (LogEvent @v1.7.1, @v1.8.3). */
const NEWER_ACTIONS = new Set([
  ...['attach', 'commit', 'copy', 'rename', 'resize', 'top'],
  ...['archive-path', 'extract-to-dir'],
])

export default [
  {
    id: '1.19/logs-since',
    gate: 'release',
    summary: 'Logs can be asked for from a time on.',
    see: 'docs/api/v1.19.md, Get container logs; api/server/server.go:getContainersLogs @v1.7.1',
    // To leave lines out here would mean to take the frames of the stream apart: refused instead.
    ops: [queryAdded('ContainerLogs', 'since', { onLoss: 'refuse', neutral: (value) => Number(value) <= 0 })],
    examples: [
      { on: 'ContainerLogs', leg: 'requestUp', before: { query: 'stdout=1&since=5' }, after: { query: 'stdout=1' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&since=5' },
        after: { refused: /query parameter since/ },
      },
      { on: 'ContainerLogs', leg: 'requestDown', before: { query: 'stdout=1&since=0' }, after: { query: 'stdout=1' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&since=-62167219200' },
        after: { query: 'stdout=1' },
      },
    ],
  },
  {
    id: '1.19/logs-unknown-container',
    gate: 'release',
    summary: 'Engine 1.7, and only it, answers 200 for the logs of an unknown container.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs-404',
    ops: [
      emulated('ContainerLogs', 'engine 1.7 is asked for the container first', {
        part: 'head',
        requestUp: refuseUnknownContainer,
      }),
      ...gated(
        { from: '1.20' },
        emulated('ContainerLogs', 'engine 1.7 is asked for the container first', {
          part: 'head',
          requestDown: refuseUnknownContainer,
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerLogs',
        leg: 'requestUp',
        params: { name: 'nosuch' },
        before: { query: 'stdout=1' },
        calls: { 'GET /containers/nosuch/json': { status: 404, body: 'no such id: nosuch' } },
        after: { refused: /^no such id: nosuch$/ },
      },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        client: '1.24',
        engine: '1.19',
        params: { name: 'web' },
        before: { query: 'stdout=1' },
        calls: { 'GET /containers/web/json': { body: {} } },
        after: { query: 'stdout=1' },
      },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        client: '1.24',
        engine: '1.19',
        params: { name: 'nosuch' },
        before: { query: 'stdout=1' },
        calls: { 'GET /containers/nosuch/json': { status: 404, body: 'no such id: nosuch' } },
        after: { refused: /^no such id: nosuch$/ },
      },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        client: '1.24',
        engine: '1.18',
        before: { query: 'stdout=1' },
        after: { query: 'stdout=1' },
      },
    ],
  },
  {
    id: '1.19/events-more-container-actions',
    gate: 'release',
    // Documented with 1.19; the daemon sends them from engine 1.8 on.
    from: '1.20',
    summary: 'Attaching, committing, copying, renaming, resizing and top are events of a container.',
    see: 'docs/api/v1.19.md, Monitor events; LogEvent( @v1.7.1, @v1.8.3; recording 1.8.3 at 1.20, events-lifecycle',
    ops: [
      byHand('SystemEvents', 'events of these kinds are left out', {
        stripsNewer: true,
        responseDown: ({ body }, { client, policy }) => {
          if (client === 19 && policy.profile === 'spec') return undefined
          const status = isObject(body) ? body['status'] : undefined
          return typeof status === 'string' && NEWER_ACTIONS.has(status) ? 'drop' : undefined
        },
      }),
    ],
    examples: [
      { on: 'SystemEvents', leg: 'responseDown', before: { body: { status: 'attach', id: 'a' } }, after: 'dropped' },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        before: { body: { status: 'start', id: 'a' } },
        after: { body: { status: 'start', id: 'a' } },
      },
      {
        on: 'SystemEvents',
        leg: 'responseDown',
        client: '1.19',
        profile: 'spec',
        before: { body: { status: 'attach', id: 'a' } },
        after: { body: { status: 'attach', id: 'a' } },
      },
    ],
  },
] satisfies Change[]
