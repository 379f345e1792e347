import { operationNames } from '../../src/api/operations.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, errorForm, gated, statusChanged } from '../../src/translate/ops.ts'

/** Errors of engines 1.10 and 1.11 for a command, and the words that newer CLIs look for. */
const KERNEL_WORDS = [
  [/^Container command .*not found or does not exist\b/, 'executable file not found in $PATH'],
  [/^Container command .*could not be invoked\b/, 'permission denied'],
] as const

export default [
  {
    id: '1.24/errors-json',
    gate: 'release',
    summary: 'Errors are JSON; before, plain text.',
    see: 'docs/api/version-history.md v1.24; api/server/httputils/errors.go',
    ops: [
      errorForm(operationNames, { before: 'text' }),
      // Engines from 1.12 on send text at older versions, so a target pinned below the client's version does too.
      ...gated({ gate: 'prefix' }, errorForm(operationNames, { after: 'json' })),
    ],
  },
  {
    id: '1.24/attach-error-head',
    gate: 'release',
    from: '1.23',
    summary: 'Errors of attach have the type of a raw stream; before, plain text like all errors.',
    see: 'recordings attach-404 1.10.3, 1.12.6, 20.10.24: seen on 1.12, not yet on 1.10',
    ops: [errorForm(['ContainerAttach', 'ContainerAttachWebsocket'], { before: 'text' })],
  },
  {
    id: '1.24/no-command-status',
    gate: 'release',
    summary: 'A create without a command is a bad request; before, a server error.',
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
    },
  },
  {
    id: '1.24/start-error-words',
    gate: 'release',
    summary: 'The error of a start whose command fails has the words of the kernel.',
    see: 'errors/daemon.go @v1.10.3; daemon/start.go @v1.11.2, @v1.12.6; docker/cli cli/command/container/run.go @v20.10.24 (runStartContainerErr): 127 or 126 by these words, else 125',
    ops: [
      byHand('ContainerStart', 'the words of the kernel are appended', {
        part: 'error',
        responseUp: (message) => {
          const words = KERNEL_WORDS.find(([says]) => says.test(message.text ?? ''))?.[1]
          if (words !== undefined) message.text = `${message.text?.replace(/\.$/, '')}: ${words}`
        },
      }),
    ],
    examples: {
      'ContainerStart responseUp error': [
        [
          '500 Container command not found or does not exist.',
          '500 Container command not found or does not exist: executable file not found in $PATH',
        ],
        [
          "500 Container command '/x' could not be invoked.",
          "500 Container command '/x' could not be invoked: permission denied",
        ],
        ['500 Cannot start container web'],
      ],
    },
  },
] satisfies Change[]
