import type { Io } from '../../src/cli/command.ts'

/** The process as a subcommand sees it in a test: output goes to memory, and `stop` ends the subcommand. */
export interface CapturedIo extends Io {
  out(): string
  err(): string
  stop(): void
}

export function captured({
  // The default is a folder of the machine.
  env = { ENGINEBRIDGE_STATE: 'off' },
  isTTY = false,
  answer,
}: {
  env?: Readonly<Record<string, string>>
  isTTY?: boolean
  /** The line that a person types when asked; undefined without a terminal. */
  answer?: string
} = {}): CapturedIo {
  const written = { out: '', err: '' }
  const output = (name: 'out' | 'err'): Io['stdout'] => ({
    isTTY,
    columns: 80,
    write: (text) => {
      written[name] += text
    },
  })
  const stopping = Promise.withResolvers<NodeJS.Signals>()
  return {
    env,
    stdout: output('out'),
    stderr: output('err'),
    stopping: () => stopping.promise,
    onHangup: () => undefined,
    ask: async (question) => {
      if (answer !== undefined) written.out += question
      return answer
    },
    out: () => written.out,
    err: () => written.err,
    stop: () => stopping.resolve('SIGTERM'),
  }
}
