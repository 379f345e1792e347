import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A simulated process: a few commands, so that `sh -c "echo out; cat; exit 3"` really echoes and ends with 3. Runs
 * nothing on the machine.
 */
export interface World {
  readonly hostname: string
  readonly env: readonly string[]
  readonly workingDir: string
  readonly tty: boolean
}

type Emit = (stream: 1 | 2, data: Buffer) => void

interface Io {
  readonly out: (text: string | Buffer) => void
  readonly err: (text: string) => void
  /** Undefined at the end of the input. */
  readonly read: () => Promise<Buffer | undefined>
  readonly world: World
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
  ':': () => 0,
  false: () => 1,
  echo: (args, io) => {
    const bare = args[0] === '-n'
    io.out(`${args.slice(bare ? 1 : 0).join(' ')}${bare ? '' : '\n'}`)
    return 0
  },
  cat: async (args, io) => {
    if (args.length > 0) return complain(io, `cat: can't open '${args[0]}': No such file or directory`, 1)
    for (let chunk = await io.read(); chunk !== undefined; chunk = await io.read()) io.out(chunk)
    return 0
  },
  sleep: async (args, io) => {
    await sleep(Math.min(Number(args[0] ?? 0) * 1000, 2 ** 31 - 1), undefined, { signal: io.signal })
    return 0
  },
  env: (_args, io) => {
    io.out(
      [
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        `HOSTNAME=${io.world.hostname}`,
        ...io.world.env,
      ].join('\n'),
    )
    io.out('\n')
    return 0
  },
  hostname: (_args, io) => say(io, io.world.hostname),
  pwd: (_args, io) => say(io, io.world.workingDir === '' ? '/' : io.world.workingDir),
  tty: (_args, io) => (io.world.tty ? say(io, '/dev/pts/0') : say(io, 'not a tty') + 1),
  exit: (args) => {
    throw new Exit(Number(args[0] ?? 0) & 0xff)
  },
  sh: async (args, io) => (args[0] === '-c' ? runScript(args[1] ?? '', io) : interactive(io)),
}

function say(io: Io, text: string): number {
  io.out(`${text}\n`)
  return 0
}

function complain(io: Io, text: string, code: number): number {
  io.err(`${text}\n`)
  return code
}

const baseName = (command: string): string => command.slice(command.lastIndexOf('/') + 1)

/** An engine would find this executable in the image. Other busybox commands exist but are not simulated. */
export const canStart = (command: string): boolean => !command.includes('/') || baseName(command) in COMMANDS

async function run(argv: readonly string[], io: Io): Promise<number> {
  const [command = '', ...args] = argv[0] === 'exec' ? argv.slice(1) : argv
  const play = Object.hasOwn(COMMANDS, baseName(command)) ? COMMANDS[baseName(command)] : undefined
  if (play !== undefined) return play(args, io)
  return complain(
    io,
    `fake engine: "${command}" is not played here; there are ${Object.keys(COMMANDS).join(', ')}`,
    127,
  )
}

const WORDS = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(&&|\|\||;|\n|1?>&2)|([^\s;'"&|>]+|[&|>])/g

/** Commands joined by `;`, `&&` and `||`, and `>&2`. Loops, pipes and variables are not supported. */
async function runScript(script: string, io: Io): Promise<number> {
  let argv: string[] = []
  let toErr = false
  let skip = false
  let code = 0
  const finish = async (): Promise<void> => {
    if (argv.length > 0 && !skip) {
      code = await run(argv, toErr ? { ...io, out: (text) => io.err(text.toString()) } : io)
    }
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

/** `sh` reading its input line by line, with a prompt and an echo on a terminal. */
async function interactive(io: Io): Promise<number> {
  const { tty } = io.world
  let line = ''
  let code = 0
  if (tty) io.out('/ # ')
  for (let chunk = await io.read(); chunk !== undefined; chunk = await io.read()) {
    for (const character of chunk.toString()) {
      if (tty && character === '\x04') return code
      if (character !== '\n' && !(tty && character === '\r')) {
        line += character
        if (tty) io.out(character)
        continue
      }
      if (tty) io.out('\n')
      code = await runScript(line, io)
      line = ''
      if (tty) io.out('/ # ')
    }
  }
  return line === '' ? code : runScript(line, io)
}

export class Process {
  /** The exit code; 128 + n after signal n. */
  readonly exited: Promise<number>
  readonly #stop = new AbortController()
  readonly #killed = Promise.withResolvers<number>()
  readonly #input: Buffer[] = []
  #inputEnded = false
  #wake: (() => void) | undefined

  constructor(argv: readonly string[], world: World, emit: Emit) {
    const heard =
      (stream: 1 | 2) =>
      (text: string | Buffer): void => {
        if (this.#stop.signal.aborted || text.length === 0) return
        // A terminal turns line feeds into CR LF and has a single stream.
        const data = world.tty ? Buffer.from(text.toString().replaceAll('\n', '\r\n')) : Buffer.from(text)
        emit(world.tty ? 1 : stream, data)
      }
    const io: Io = { out: heard(1), err: heard(2), read: () => this.#read(), world, signal: this.#stop.signal }
    // Asynchronous, so that the caller has recorded the start first.
    const played = Promise.resolve()
      .then(() => run(argv, io))
      .catch((cause: unknown) => {
        if (cause instanceof Exit) return cause.code
        if (cause instanceof Error && cause.name === 'AbortError') return 137
        throw cause
      })
    this.exited = Promise.race([played, this.#killed.promise])
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
