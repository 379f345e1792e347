import type { Change } from '../../src/translate/change.ts'
import { byHand, gated, statusChanged } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.24/errors-json',
    gate: 'release',
    summary: 'Errors are JSON; before they were plain text.',
    see: 'docs/api/version-history.md v1.24; api/server/httputils/errors.go',
    ops: [
      byHand('every', 'errors are written in the form of the client’s version', {
        part: 'error',
        responseDown: (message) => {
          message.form = 'text'
        },
      }),
      // Engines from 1.12 on write text where the version asked for is older: also to a pin below the client's version.
      ...gated(
        { gate: 'prefix' },
        byHand('every', 'errors are written in the form of the client’s version', {
          part: 'error',
          responseUp: (message) => {
            message.form = 'json'
          },
        }),
      ),
    ],
    examples: [
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { status: 404, text: 'No such container: x' },
        after: { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'No such container: x' },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { status: 404, text: 'no such id: x' },
        after: { status: 404, headers: { 'Content-Type': 'application/json' }, text: 'no such id: x' },
      },
    ],
  },
  {
    id: '1.24/attach-error-head',
    gate: 'release',
    from: '1.23',
    summary: 'Errors of attach come as a raw stream; before as plain text like every other.',
    see: 'recordings attach-404 1.10.3, 1.12.6, 20.10.24: seen on 1.12, not yet on 1.10',
    ops: [
      byHand(['ContainerAttach', 'ContainerAttachWebsocket'], 'an error is plain text', {
        part: 'error',
        responseDown: (message) => {
          message.form = 'text'
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerAttach',
        leg: 'responseDown',
        before: {
          status: 404,
          headers: { 'Content-Type': 'application/vnd.docker.raw-stream' },
          text: 'No such container: x',
        },
        after: { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'No such container: x' },
      },
    ],
  },
  {
    id: '1.24/no-command-status',
    gate: 'release',
    summary: 'A create without a command is a bad request; before a server error.',
    see: 'version-history.md v1.24; recordings create-nocmd 1.10.3, 1.12.6',
    ops: [statusChanged('ContainerCreate', { before: 500, after: 400, when: /^no command specified$/i })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'responseDown',
        before: { status: 400, text: 'no command specified' },
        after: { status: 500, text: 'no command specified' },
      },
      {
        on: 'ContainerCreate',
        leg: 'responseDown',
        before: { status: 400, text: 'invalid reference format' },
        after: { status: 400 },
      },
      {
        on: 'ContainerCreate',
        leg: 'responseUp',
        before: { status: 500, text: 'No command specified' },
        after: { status: 400, text: 'No command specified' },
      },
    ],
  },
] satisfies Change[]
