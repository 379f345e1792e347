import type { Io, Output } from './command.ts'

/** Widths that people read well; a pipe gets the first. */
const [PLAIN_COLUMNS, MOST_COLUMNS] = [80, 120]

/** The process as subcommands see it. Streams are opened when they are used: `serve` uses none of them. */
export function processIo(): Io {
  return {
    env: process.env,
    get stdout() {
      return output(process.stdout)
    },
    get stderr() {
      return output(process.stderr)
    },
    stopping: () => {
      const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
      return promise
    },
    onHangup: (reload) => void process.on('SIGHUP', reload),
  }
}

const heard = new WeakSet<NodeJS.WriteStream>()

function output(stream: NodeJS.WriteStream): Output {
  // `enginebridge matrix | head`: whoever reads has enough, which is no failure (EPIPE).
  if (!heard.has(stream))
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  heard.add(stream)
  const isTTY = stream.isTTY === true
  return {
    write: (text) => void stream.write(text),
    isTTY,
    columns: isTTY ? Math.min(stream.columns, MOST_COLUMNS) : PLAIN_COLUMNS,
  }
}
