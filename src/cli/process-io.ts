import type { Io, Output } from './command.ts'

/** Widths that people read well; a pipe gets the second, and so does a terminal that does not know its own (it says 0). */
const [LEAST_COLUMNS, PLAIN_COLUMNS, MAX_COLUMNS] = [40, 80, 120]

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
    ask,
    onHangup: (reload) => void process.on('SIGHUP', reload),
  }
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const { createInterface } = process.getBuiltinModule('node:readline')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const { promise, resolve } = Promise.withResolvers<string>()
  terminal.on('close', () => resolve('')) // Ctrl-D, Ctrl-C
  terminal.question(question, resolve)
  return promise.finally(() => terminal.close())
}

const heard = new Set<NodeJS.WriteStream>()

/** Resolves when all that was written has left: a full pipe takes it later, and an exit before would cut it. */
export const flushed = (): Promise<unknown> =>
  Promise.all([...heard].map((stream) => new Promise((resolve) => stream.write('', resolve))))

function output(stream: NodeJS.WriteStream): Output {
  // `enginebridge matrix | head`: the reader has enough; EPIPE is not a failure.
  if (!heard.has(stream))
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(0)
      if (stream === process.stdout) process.stderr.write(`enginebridge: cannot write the output: ${message}\n`)
      process.exit(1)
    })
  heard.add(stream)
  const isTTY = stream.isTTY === true
  return {
    write: (text) => void stream.write(text),
    isTTY,
    columns: isTTY ? readable(stream.columns) : PLAIN_COLUMNS,
  }
}

/** Narrower text would be unreadable: a narrower terminal breaks the lines itself. */
const readable = (columns: number | undefined): number =>
  columns === undefined || columns <= 0 ? PLAIN_COLUMNS : Math.min(Math.max(columns, LEAST_COLUMNS), MAX_COLUMNS)
