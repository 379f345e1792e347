import type { Changes } from '../../src/translate/change.ts'
import { byHand, emulated, endpointAdded, gated, headRetyped, only, statusChanged } from '../../src/translate/ops.ts'
import { archive, archiveHeaders, archiveInfo } from '../emulate/archive-from-copy.ts'
import { RAW } from '../emulate/stream-type.ts'

const STOPPED = '{lead}is not running{rest}'

/** The header of an empty file in a tar, in base64. */
const TAR = Buffer.from('f.txt'.padEnd(512, '\0')).toString('base64')

const copies = (answer: { readonly status?: number; readonly body: string }) => ({
  calls: { 'POST /containers/web/copy': answer },
})

export default {
  '1.20/archive-endpoints': {
    summary: 'Files are copied into and out of a container as tar archives.',
    see: 'docs/api/v1.20.md, Get an archive of a filesystem resource; api/server/server.go @v1.8.3; recordings of 1.7.1 (copy) and 1.8.3 (archive)',
    // Older clients can use the endpoints too, as on every newer engine. An engine with only /copy cannot write files into a
    // container.
    ops: [
      emulated('ContainerArchiveInfo', 'the stat of a path, from /copy', { part: 'head', requestDown: archiveInfo }),
      emulated('ContainerArchive', 'the tar of /copy', {
        onLoss: 'refuse',
        loses: 'query parameter path that ends in a dot',
        part: 'head',
        requestDown: archive,
      }),
      byHand('ContainerArchive', 'the headers of an archive', { part: 'head', responseUp: archiveHeaders }),
      endpointAdded('PutContainerArchive', { missing: 501 }),
    ],
    examples: {
      'ContainerArchiveInfo requestDown': [
        ['path=/f.txt', { answered: 200 }, copies({ body: TAR })],
        [
          'path=/nosuch',
          /^Could not find the file \/nosuch in container web$/,
          copies({ status: 500, body: 'Could not find the file /nosuch in container web' }),
        ],
      ],
      'ContainerArchive requestDown': [
        [
          'path=/f.txt',
          { method: 'POST', path: '/containers/web/copy', query: '', body: { Resource: '/f.txt' } },
          copies({ body: TAR }),
        ],
        [{}, /'path' cannot be empty/],
        ['path=/etc/.', /path that ends in a dot/],
      ],
      'ContainerArchive responseUp': [
        [{}, { headers: { 'Content-Type': 'application/x-tar' } }, { ...copies({ body: TAR }), asked: 'path=/f.txt' }],
      ],
    },
  },
  '1.20/kill-stopped': {
    // Engines 1.8 to 25 answer 204 below 1.20; 26 dropped these versions.
    gate: 'prefix',
    summary: 'Killing a stopped container is an error.',
    see: 'api/server/server.go:postContainersKill @v1.8.3; container_routes.go @v20.10; recordings 1.8.3, 1.9.1, 1.12.6 and 20.10, kill-exited',
    ops: [
      // Errors of engines from 17.x on, and of 1.8 to 1.12.
      statusChanged('ContainerKill', { before: 204, after: 409, legs: 'down' }),
      statusChanged('ContainerKill', { before: 204, after: 500, when: STOPPED, legs: 'down' }),
      // Documented with 1.37.
      ...gated(
        { gate: 'release', from: '1.25' },
        statusChanged('ContainerKill', { before: 500, after: 409, when: STOPPED }),
      ),
      ...only(
        { profile: 'spec', gate: 'release', from: '1.37' },
        statusChanged('ContainerKill', { before: 500, after: 409, legs: 'down' }),
      ),
    ],
  },
  '1.20/exec-create-content-type': {
    summary: 'The body of an exec needs a Content-Type of JSON.',
    see: 'api/server/server.go:postContainerExecCreate checkForJson @v1.8.3; recordings of 1.7.1 and 1.8.3, exec-create-noct',
    ops: headRetyped('ContainerExec', 'header Content-Type', { toNewer: 'application/json' }),
  },
  '1.20/logs-content-type': {
    summary: 'Logs no longer have a Content-Type.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs; the specification has the raw-stream type at every version',
    ops: [
      ...only(
        { profile: 'engine' },
        headRetyped('ContainerLogs', 'response header Content-Type', {
          toOlder: 'application/octet-stream',
          toNewer: null,
        }),
      ),
      ...only(
        { profile: 'spec' },
        headRetyped('ContainerLogs', 'response header Content-Type', { toOlder: RAW, toNewer: RAW }),
      ),
    ],
  },
} satisfies Changes
