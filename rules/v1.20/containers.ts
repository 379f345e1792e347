import type { Change } from '../../src/translate/change.ts'
import type { ResponseMessage } from '../../src/translate/message.ts'
import { byHand, emulated, endpointAdded, gated, statusChanged } from '../../src/translate/ops.ts'
import { archive, archiveHeaders, archiveInfo } from '../emulate/archive-from-copy.ts'

const STOPPED = /is not running/i

/** To kill a container that does not run was no error. */
function killedAlready(message: ResponseMessage): void {
  if (message.status !== 409 && !(message.status === 500 && STOPPED.test(message.text ?? ''))) return
  message.status = 204
  delete message.text
  message.headers.delete('X-Content-Type-Options')
}

/** A tar of one file `f.txt` of 5 bytes, mode 0644, as base64: its header is all that is read. */
function tarOf(type: string, link = ''): string {
  const block = Buffer.alloc(512)
  block.write('f.txt', 0)
  block.write('0000644\0', 100)
  block.write('00000000005\0', 124)
  block.write('14000000000\0', 136)
  block.write(type, 156)
  block.write(link, 157)
  block.write('ustar\0', 257)
  return block.toString('base64')
}

const RAW_STREAM = 'application/vnd.docker.raw-stream'

const params = { name: 'web' }

export default [
  {
    id: '1.20/archive-endpoints',
    gate: 'release',
    summary: 'Files go in and out of a container as tar archives.',
    see: 'docs/api/v1.20.md, Get an archive of a filesystem resource; api/server/server.go @v1.8.3; recordings of 1.7.1 (copy) and 1.8.3 (archive)',
    // An older client that knows the endpoint all the same gets it, as on every newer engine. There is no way to write
    // into a container of an engine that has only /copy.
    ops: [
      emulated('ContainerArchiveInfo', 'the stat of a path, from the tar of /copy', {
        part: 'head',
        requestDown: archiveInfo,
      }),
      emulated('ContainerArchive', 'the tar of /copy', {
        onLoss: 'refuse',
        loses: 'query parameter path that ends in a dot',
        part: 'head',
        requestDown: archive,
      }),
      byHand('ContainerArchive', 'the headers of an archive', { part: 'head', responseUp: archiveHeaders }),
      endpointAdded('PutContainerArchive', { missing: 501 }),
    ],
    examples: [
      {
        on: 'ContainerArchiveInfo',
        leg: 'requestDown',
        params,
        before: { query: 'path=/f.txt' },
        calls: { 'POST /containers/web/copy': { body: tarOf('0') } },
        after: { answered: 200 },
      },
      {
        on: 'ContainerArchiveInfo',
        leg: 'requestDown',
        params,
        before: { query: 'path=/nosuch' },
        calls: {
          'POST /containers/web/copy': { status: 500, body: 'Could not find the file /nosuch in container web' },
        },
        after: { refused: /^Could not find the file \/nosuch in container web$/ },
      },
      {
        on: 'ContainerArchive',
        leg: 'requestDown',
        params,
        before: { query: 'path=/f.txt' },
        calls: { 'POST /containers/web/copy': { body: tarOf('2', '/g') } },
        after: { method: 'POST', path: '/containers/web/copy', query: '', body: { Resource: '/f.txt' } },
      },
      { on: 'ContainerArchive', leg: 'requestDown', params, before: {}, after: { refused: /'path' cannot be empty/ } },
      {
        on: 'ContainerArchive',
        leg: 'requestDown',
        params,
        before: { query: 'path=/etc/.' },
        after: { refused: /path that ends in a dot/ },
      },
      {
        on: 'ContainerArchive',
        leg: 'responseUp',
        params,
        asked: { query: 'path=/f.txt' },
        calls: { 'POST /containers/web/copy': { body: tarOf('0') } },
        before: { headers: { 'Content-Type': 'application/octet-stream' } },
        after: { headers: { 'Content-Type': 'application/x-tar' } },
      },
      {
        on: 'PutContainerArchive',
        leg: 'requestDown',
        before: { query: 'path=/' },
        after: { refused: /PUT \/containers\/\{name\}\/archive needs API 1\.20; this engine has API 1\.19/ },
      },
    ],
  },
  {
    id: '1.20/kill-stopped',
    // The engines 1.8 to 25 answer 204 below 1.20; 26 lost the code together with these versions.
    gate: 'prefix',
    summary: 'To kill a container that does not run is an error.',
    see: 'api/server/server.go:postContainersKill @v1.8.3; container_routes.go @v20.10; recordings 1.8.3, 1.9.1, 1.12.6 and 20.10, kill-exited',
    ops: [
      byHand('ContainerKill', 'the kill of a stopped container succeeds', {
        part: 'error',
        responseDown: killedAlready,
      }),
      // 500 on 1.8 to 1.12, 409 from 17.x on; documented with 1.37.
      ...gated(
        { gate: 'release', from: '1.25' },
        statusChanged('ContainerKill', { before: 500, after: 409, when: STOPPED }),
      ),
      ...gated(
        { gate: 'release', from: '1.37' },
        byHand('ContainerKill', 'the status that is documented up to 1.36', {
          part: 'error',
          profile: 'spec',
          responseDown: (message) => {
            if (message.status === 409) message.status = 500
          },
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerKill',
        leg: 'responseDown',
        before: { status: 409, text: 'cannot kill container: web: container 5b7e1fd7 is not running' },
        after: { status: 204 },
      },
      {
        on: 'ContainerKill',
        leg: 'responseDown',
        before: { status: 500, text: 'Cannot kill container web: notrunning: Container 5b7e1fd7 is not running' },
        after: { status: 204 },
      },
      {
        on: 'ContainerKill',
        leg: 'responseDown',
        before: { status: 500, text: 'no space left on device' },
        after: { status: 500, text: 'no space left on device' },
      },
      {
        on: 'ContainerKill',
        leg: 'responseDown',
        client: '1.24',
        engine: '1.41',
        before: { status: 409, text: 'Cannot kill container: web: Container 5b7e1fd7 is not running' },
        after: { status: 500, text: 'Cannot kill container: web: Container 5b7e1fd7 is not running' },
      },
      {
        on: 'ContainerKill',
        leg: 'responseDown',
        client: '1.30',
        engine: '1.41',
        profile: 'spec',
        before: { status: 409, text: 'Cannot kill container: web: Container 5b7e1fd7 is not running' },
        after: { status: 500, text: 'Cannot kill container: web: Container 5b7e1fd7 is not running' },
      },
      {
        on: 'ContainerKill',
        leg: 'responseUp',
        client: '1.41',
        engine: '1.24',
        before: { status: 500, text: 'Cannot kill container web: Container 5b7e1fd7 is not running' },
        after: { status: 409, text: 'Cannot kill container web: Container 5b7e1fd7 is not running' },
      },
    ],
  },
  {
    id: '1.20/exec-create-content-type',
    gate: 'release',
    summary: 'The body of an exec must say that it is JSON.',
    see: 'api/server/server.go:postContainerExecCreate checkForJson @v1.8.3; recordings of 1.7.1 and 1.8.3, exec-create-noct',
    ops: [
      byHand('ContainerExec', 'the type that the body has', {
        part: 'head',
        requestUp: ({ headers }) => headers.set('Content-Type', 'application/json'),
      }),
    ],
    examples: [
      {
        on: 'ContainerExec',
        leg: 'requestUp',
        before: { headers: { 'Content-Type': 'text/plain' } },
        after: { headers: { 'Content-Type': 'application/json' } },
      },
    ],
  },
  {
    id: '1.20/logs-content-type',
    gate: 'release',
    summary: 'Logs no longer say of what type they are.',
    see: 'recordings of 1.6.2, 1.7.1 and 1.8.3, logs; the specification has the raw-stream type at every version',
    ops: [
      byHand('ContainerLogs', 'the type of a stream of logs', {
        part: 'head',
        responseDown: ({ headers }, { policy }) =>
          headers.set('Content-Type', policy.profile === 'spec' ? RAW_STREAM : 'application/octet-stream'),
        responseUp: ({ headers }, { policy }) => {
          if (policy.profile === 'spec') headers.set('Content-Type', RAW_STREAM)
          else headers.delete('Content-Type')
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerLogs',
        leg: 'responseDown',
        before: { headers: {} },
        after: { headers: { 'Content-Type': 'application/octet-stream' } },
      },
      {
        on: 'ContainerLogs',
        leg: 'responseUp',
        before: { headers: { 'Content-Type': 'application/octet-stream' } },
        after: { headers: { 'Content-Type': null } },
      },
      {
        on: 'ContainerLogs',
        leg: 'responseUp',
        profile: 'spec',
        before: { headers: { 'Content-Type': 'application/octet-stream' } },
        after: { headers: { 'Content-Type': 'application/vnd.docker.raw-stream' } },
      },
    ],
  },
] satisfies Change[]
