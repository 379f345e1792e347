import type { Change } from '../src/translate/change.ts'
import { byHand } from '../src/translate/ops.ts'

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
        responseUp: (message) => {
          message.form = 'json'
        },
      }),
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
] satisfies Change[]
