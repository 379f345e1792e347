import { operationNames } from '../../src/api/operations.ts'
import type { Change } from '../../src/translate/change.ts'
import { errorForm, gated, statusChanged } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.24/errors-json',
    gate: 'release',
    summary: 'Errors are JSON; before they were plain text.',
    see: 'docs/api/version-history.md v1.24; api/server/httputils/errors.go',
    ops: [
      errorForm(operationNames, { before: 'text' }),
      // Engines from 1.12 on write text where the version asked for is older: also to a pin below the client's version.
      ...gated({ gate: 'prefix' }, errorForm(operationNames, { after: 'json' })),
    ],
  },
  {
    id: '1.24/attach-error-head',
    gate: 'release',
    from: '1.23',
    summary: 'Errors of attach come as a raw stream; before as plain text like every other.',
    see: 'recordings attach-404 1.10.3, 1.12.6, 20.10.24: seen on 1.12, not yet on 1.10',
    ops: [errorForm(['ContainerAttach', 'ContainerAttachWebsocket'], { before: 'text' })],
  },
  {
    id: '1.24/no-command-status',
    gate: 'release',
    summary: 'A create without a command is a bad request; before a server error.',
    see: 'version-history.md v1.24; recordings create-nocmd 1.10.3, 1.12.6',
    ops: [
      statusChanged('ContainerCreate', {
        sample: 'no command specified',
        before: 500,
        after: 400,
        when: /^no command specified$/i,
      }),
    ],
    examples: {
      'ContainerCreate responseDown': [[{ status: 400, text: 'invalid reference format' }, { status: 400 }]],
      'ContainerCreate responseUp error': [['500 No command specified', '400 No command specified']],
    },
  },
] satisfies Change[]
