import type { Io } from '../../src/cli/command.ts'

/** What a subcommand sees in a test: it writes into memory, and is stopped when the test says so. */
export interface CapturedIo extends Io {
  out(): string
  err(): string
  stop(): void
}

export function captured({
  env = {},
  isTTY = false,
}: {
  env?: Readonly<Record<string, string>>
  isTTY?: boolean
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
    out: () => written.out,
    err: () => written.err,
    stop: () => stopping.resolve('SIGTERM'),
  }
}
