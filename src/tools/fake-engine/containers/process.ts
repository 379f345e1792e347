import { setTimeout as sleep } from 'node:timers/promises'

type Print = (stream: 1 | 2, data: Buffer) => void

interface Io {
  readonly out: (text: string | Buffer) => void
  readonly err: (text: string | Buffer) => void
  /** Undefined at the end of the input. */
  readonly read: () => Promise<Buffer | undefined>
  readonly signal: AbortSignal
}

class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

const COMMANDS: Readonly<Record<string, (args: readonly string[], io: Io) => number | Promise<number>>> = {
  true: () => 0,
  false: () => 1,
  echo: (args, { out }) => {
    out(`${args.join(' ')}\n`)
    return 0
  },
  cat: async (_args, { read, out }) => {
    for (let chunk = await read(); chunk !== undefined; chunk = await read()) out(chunk)
    return 0
  },
  sleep: async ([seconds = '0'], { signal }) => {
    await sleep(Math.min(Number(seconds) * 1000, 2 ** 31 - 1), undefined, { signal })
    return 0
  },
  exit: ([code = '0']) => {
    throw new Exit(Number(code) & 0xff)
  },
  sh: async ([flag, script = ''], io) => {
    if (flag === '-c') return runScript(script, io)
    let code = 0
    for (let line = await io.read(); line !== undefined; line = await io.read())
      code = await runScript(line.toString(), io)
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
  let argv: string[] = []
  let toErr = false
  let skip = false
  let code = 0
  const finish = async (): Promise<void> => {
    if (argv.length > 0 && !skip) code = await run(argv, toErr ? { ...io, out: io.err } : io)
    argv = []
    toErr = false
  }
  for (const [word, single, double, operator] of script.matchAll(WORDS)) {
    if (operator === undefined) argv.push(single ?? double ?? word)
    else if (operator.endsWith('>&2')) toErr = true
    else {
      await finish()
      skip = (operator === '&&' && code !== 0) || (operator === '||' && code === 0)
    }
  }
  await finish()
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
  readonly #killed = Promise.withResolvers<number>()
  readonly #input: Buffer[] = []
  #inputEnded = false
  #wake: (() => void) | undefined

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
    const io: Io = { out: heard(1), err: heard(2), read: () => this.#read(), signal }
    // Asynchronous, so that the caller has recorded the start first.
    const played = Promise.resolve()
      .then(() => run(argv, io))
      .catch((cause: unknown) => {
        if (cause instanceof Exit) return cause.code
        if (signal.aborted) return this.#killed.promise
        throw cause
      })
    this.exitCode = await Promise.race([played, this.#killed.promise])
    return this.exitCode
  }

  write(data: Buffer): void {
    this.#input.push(data)
    this.#wake?.()
  }

  endInput(): void {
    this.#inputEnded = true
    this.#wake?.()
  }

  /** Ends it on any signal. */
  kill(signal: number): void {
    this.#killed.resolve(128 + signal)
    this.#stop.abort()
  }

  async #read(): Promise<Buffer | undefined> {
    while (this.#input.length === 0 && !this.#inputEnded) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    return this.#input.shift()
  }
}
