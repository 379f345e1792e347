import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

type Print = (stream: 1 | 2, data: Buffer) => void

interface Io {
  readonly out: (text: string | Buffer) => void
  readonly err: (text: string | Buffer) => void
  readonly input: AsyncIterable<Buffer>
  readonly signal: AbortSignal
  /** Ends the whole process; never resolves. */
  readonly exit: (code: number) => Promise<never>
}

const COMMANDS: Readonly<Record<string, (args: readonly string[], io: Io) => number | Promise<number>>> = {
  true: () => 0,
  false: () => 1,
  echo: (args, { out }) => {
    out(`${args.join(' ')}\n`)
    return 0
  },
  cat: async (_args, { input, out }) => {
    for await (const chunk of input) out(chunk)
    return 0
  },
  sleep: async ([seconds = '0'], { signal }) => {
    await sleep(Math.min(Number(seconds) * 1000, 2 ** 31 - 1), undefined, { signal })
    return 0
  },
  exit: ([code = '0'], { exit }) => exit(Number(code) & 0xff),
  sh: async ([flag, script = ''], io) => {
    if (flag === '-c') return runScript(script, io)
    let code = 0
    for await (const line of io.input) code = await runScript(line.toString(), io)
    return code
  },
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const [command = '', ...args] = argv[0] === 'exec' ? argv.slice(1) : argv
  const name = command.slice(command.lastIndexOf('/') + 1)
  const play = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (play !== undefined) return play(args, io)
  io.err(`fake engine: "${command}" is not played here; there are ${Object.keys(COMMANDS).join(', ')}\n`)
  return 127
}

const WORDS = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(&&|\|\||;|\n|1?>&2)|([^\s;'"&|>]+|[&|>])/g

/** Commands joined by `;`, `&&` and `||`, and `>&2`. Loops, pipes and variables are not supported. */
async function runScript(script: string, io: Io): Promise<number> {
  let [argv, toErr, skip, code]: [string[], boolean, boolean, number] = [[], false, false, 0]
  for (const [word, single, double, operator] of [...script.matchAll(WORDS), [';', undefined, undefined, ';']]) {
    if (operator === undefined) argv.push(single ?? double ?? word ?? '')
    else if (operator.endsWith('>&2')) toErr = true
    else {
      if (argv.length > 0 && !skip) code = await run(argv, toErr ? { ...io, out: io.err } : io)
      skip = (operator === '&&' && code !== 0) || (operator === '||' && code === 0)
      ;[argv, toErr] = [[], false]
    }
  }
  return code
}

let lastPid = 4000

/**
 * A simulated process: a few commands, so that `sh -c "echo out; cat; exit 3"` really echoes and ends with 3. Runs
 * nothing on the machine. Input that comes before its start is kept.
 */
export class Process {
  readonly pid = ++lastPid
  started = false
  /** The exit code; 128 + n after signal n. */
  exitCode: number | null = null
  readonly #stop = new AbortController()
  readonly #ended = Promise.withResolvers<number>()
  readonly #input = new PassThrough()

  get running(): boolean {
    return this.started && this.exitCode === null
  }

  /** Resolves with the exit code. */
  async start(argv: readonly string[], tty: boolean, print: Print): Promise<number> {
    this.started = true
    const { signal } = this.#stop
    const heard =
      (stream: 1 | 2) =>
      (text: string | Buffer): void => {
        if (signal.aborted || text.length === 0) return
        // A terminal turns line feeds into CR LF and has a single stream.
        if (tty) print(1, Buffer.from(text.toString().replaceAll('\n', '\r\n')))
        else print(stream, Buffer.from(text))
      }
    const exit = (code: number): Promise<never> => {
      this.#end(code)
      return Promise.withResolvers<never>().promise
    }
    // Asynchronous, so that the caller has recorded the start first.
    Promise.resolve()
      .then(() => run(argv, { out: heard(1), err: heard(2), input: this.#input, signal, exit }))
      .then(this.#ended.resolve, this.#ended.reject)
    this.exitCode = await this.#ended.promise
    return this.exitCode
  }

  write(data: Buffer): void {
    if (this.#input.writable) this.#input.write(data)
  }

  endInput(): void {
    this.#input.end()
  }

  /** Ends it on any signal. */
  kill(signal: number): void {
    this.#end(128 + signal)
  }

  #end(code: number): void {
    this.#ended.resolve(code)
    this.#stop.abort()
  }
}
