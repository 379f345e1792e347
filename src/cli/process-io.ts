import type { Io, Output } from './command.ts'

/** Widths that people read well; a pipe gets the second, and so does a terminal that does not know its own (it says 0). */
const [LEAST_COLUMNS, PLAIN_COLUMNS, MOST_COLUMNS] = [40, 80, 120]

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
    columns: isTTY ? readable(stream.columns) : PLAIN_COLUMNS,
  }
}

/** A narrow terminal breaks lines itself: words one below the other are read by nobody. */
const readable = (columns: number | undefined): number =>
  columns === undefined || columns <= 0 ? PLAIN_COLUMNS : Math.min(Math.max(columns, LEAST_COLUMNS), MOST_COLUMNS)
