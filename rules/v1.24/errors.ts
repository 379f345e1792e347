import { operationNames } from '../../src/api/operations.ts'
import { type Changes, errorForm, gated, statusChanged } from '../../src/translate/ops.ts'
import { errorWords, inWordsUp, type Reworded } from '../by-hand/reworded.ts'

/** An error of engines 1.10 and 1.11 for a command, with the words that newer CLIs look for. */
const commandFailed = (outcome: string, words: string): Reworded => ({
  ...inWordsUp('ContainerStart', `Container command $1${outcome}.`, `Container command $1${outcome}: ${words}`, [
    ['.*', "'/x' "],
  ]),
  everyProfile: true,
})

export default {
  '1.24/errors-json': {
    summary: 'Errors are JSON; before, plain text.',
    see: 'docs/api/version-history.md v1.24; api/server/httputils/errors.go',
    ops: [
      errorForm(operationNames, { before: 'text' }),
      // Engines from 1.12 on send text at older versions, so a target pinned below the client's version does too.
      ...gated({ gate: 'prefix' }, errorForm(operationNames, { after: 'json' })),
    ],
  },
  '1.24/attach-error-head': {
    from: '1.23',
    summary: 'Errors of attach have the type of a raw stream; before, plain text like all errors.',
    see: 'recordings attach-404 1.10.3, 1.12.6, 20.10.24: seen on 1.12, not yet on 1.10',
    ops: errorForm(['ContainerAttach', 'ContainerAttachWebsocket'], { before: 'text' }),
  },
  '1.24/no-command-status': {
    summary: 'A create without a command is a bad request; before, a server error.',
    see: 'version-history.md v1.24; recordings create-nocmd 1.10.3, 1.12.6',
    ops: statusChanged('ContainerCreate', {
      sample: 'no command specified',
      before: 500,
      after: 400,
      when: /^no command specified$/i,
    }),
  },
  '1.24/start-error-words': errorWords(
    {
      summary: 'The error of a start whose command fails has the words of the kernel.',
      see: 'errors/daemon.go @v1.10.3; daemon/start.go @v1.11.2, @v1.12.6; docker/cli cli/command/container/run.go @v20.10.24 (runStartContainerErr): 127 or 126 by these words, else 125',
    },
    [
      commandFailed('not found or does not exist', 'executable file not found in $PATH'),
      commandFailed('could not be invoked', 'permission denied'),
    ],
  ),
} satisfies Changes
