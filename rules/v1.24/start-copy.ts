import type { JsonObject } from '../../src/api/json/json.ts'
import { Answer } from '../../src/translate/message.ts'
import { byHand, type Changes, emulated, headRetyped } from '../../src/translate/ops.ts'
import { copyAsArchive, copyErrors } from '../emulate/ContainerCopy.ts'
import { refuseBody, startWithBody } from '../emulate/ContainerStart.ts'
import { secondStartRefused } from '../emulate/refusals.ts'

const json = { 'Content-Type': 'application/json' }
const created = { State: { Running: false }, HostConfig: { Binds: ['/a:/b'], CpuShares: 0, Memory: 0 } }
const shown = { 'GET /containers/x/json': { body: created } }
const starts = (body: JsonObject) => ({ path: '/containers/x/start', headers: json, body })

/** An exec that ended with this code, or has not run. */
const execOf = (engine: string, id: string, code: number | null) => ({
  engine,
  params: { id },
  calls: { [`GET /exec/${id}/json`]: { body: { Running: false, ExitCode: code } } },
})

export default {
  '1.24/start-body-rejected': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.45',
    summary: 'A start has no body; before, it could replace the container’s HostConfig.',
    see: 'docs/api/v1.24.md, Start a container; container_routes.go:postContainersStart @v1.12.6 … v26; recordings start-hc',
    ops: [
      emulated(
        'ContainerStart',
        'a HostConfig updates the container if possible; otherwise the container is replaced, or the call refused',
        {
          onLoss: 'refuse',
          loses: 'a start with a HostConfig that needs another container, if this one cannot safely be replaced',
          requestUp: startWithBody,
        },
      ),
      byHand('ContainerStart', 'a body is refused as engines of the client’s version refuse it', {
        requestDown: refuseBody,
      }),
    ],
    examples: {
      'ContainerStart requestUp': [
        [
          starts({ Binds: ['/a:/b'], CpuShares: 7 }),
          { path: '/containers/x/start', headers: { 'Content-Type': null } },
          { calls: { ...shown, 'POST /containers/x/update': { body: { Warnings: null } } } },
        ],
        [
          starts({ HostConfig: { Binds: ['/c:/d'] } }),
          /removed in v1\.24: this engine cannot change HostConfig\.Binds of a created container/,
          { engine: '1.51', calls: shown },
        ],
      ],
      'ContainerStart requestDown body.Binds': [
        [['/a:/b'], /^starting container with non-empty request body was deprecated/],
      ],
    },
  },
  '1.24/copy-removed': {
    // Engines decide by the prefix, but archive is right on every engine that has it: see rules/emulate/ContainerCopy.ts.
    summary: 'Copy is gone; archive replaces it.',
    see: 'version-history.md v1.24; api/server/router/container/copy.go @v1.12.6 … v25; recordings copy, copy-dir, copy-404',
    ops: [
      emulated('ContainerCopy', 'sent as archive', { requestUp: copyAsArchive }),
      headRetyped('ContainerCopy', 'response header X-Docker-Container-Path-Stat', { toOlder: null }),
      byHand('ContainerCopy', 'errors of copy', { part: 'error', responseDown: copyErrors }),
      byHand('ContainerCopy', '404 without a text', {
        part: 'head',
        requestDown: () => {
          throw new Answer(404)
        },
      }),
    ],
    examples: {
      'ContainerCopy requestUp': [
        [
          { path: '/containers/x/copy', headers: json, body: { Resource: '/etc' } },
          { method: 'GET', path: '/containers/x/archive', query: 'path=/etc', headers: { 'Content-Type': null } },
          { calls: { 'HEAD /containers/x/archive?path=%2Fetc': { status: 200 } } },
        ],
        [{ headers: json, body: { Resource: '' } }, /^Path cannot be empty$/],
        [{ body: { Resource: '/etc' } }, /^Content-Type specified \(\) must be 'application\/json'$/],
      ],
      'ContainerCopy requestDown': [[{ body: { Resource: '/etc' } }, { answered: 404 }]],
    },
  },
  '1.24/exec-start-twice': {
    summary: 'A finished exec cannot be started again; engines up to 1.10 ran it again, and 1.9 crashes.',
    see: 'recordings exec-start-again 1.8.3, 1.9.1, 1.10.3, 1.12.6',
    ops: secondStartRefused,
    examples: {
      'ExecStart requestDown body.Detach': [
        [false, /^Error: Exec command e1 has already run$/, execOf('1.22', 'e1', 0)],
        [false, false, execOf('1.22', 'e2', null)],
        [false, /^Error: Exec command e3 has already run$/, execOf('1.21', 'e3', 2)],
      ],
    },
  },
} satisfies Changes
