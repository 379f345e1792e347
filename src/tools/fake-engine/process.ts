import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Printed {
  readonly stream: 1 | 2
  readonly data: Buffer
}

interface Io {
  readonly print: (stream: 1 | 2, data: string | Buffer) => void
  readonly input: AsyncIterable<Buffer>
  readonly signal: AbortSignal
}

const COMMANDS: Readonly<Record<string, (args: readonly string[], io: Io) => unknown>> = {
  true: () => undefined,
  echo: (args, { print }) => print(1, `${args.join(' ')}\n`),
  cat: async (_args, { input, print }) => {
    for await (const chunk of input) print(1, chunk)
  },
  sleep: ([seconds = '0'], { signal }) => sleep(Math.min(Number(seconds) * 1000, 2 ** 31 - 1), undefined, { signal }),
}

/** Runs a command and returns its exit code. */
async function run([command = '', ...args]: readonly string[], io: Io): Promise<number> {
  const name = command.slice(command.lastIndexOf('/') + 1)
  if (name === 'sh' && args[0] === '-c') return runScript(args[1] ?? '', io)
  if (name === 'sh') {
    let code = 0
    for await (const line of io.input) {
      code = await runScript(line.toString(), io)
      if (/^\s*exit\b/.test(line.toString())) break
    }
    return code
  }
  const play = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  await play?.(args, io)
  if (play !== undefined) return 0
  io.print(2, `fake engine: "${command}" is not played here; there are sh, ${Object.keys(COMMANDS).join(', ')}\n`)
  return 127
}

/** Commands joined by `;` or line feeds, without quotes; `>&2`, `exec` and `exit`. */
async function runScript(script: string, io: Io): Promise<number> {
  let code = 0
  for (const line of script.split(/[;\n]/)) {
    const words = line.split(/\s+/).filter((word) => word !== '' && word !== 'exec')
    const argv = words.filter((word) => word !== '>&2')
    if (argv[0] === 'exit') return Number(argv[1] ?? code) & 0xff
    const toErr = { ...io, print: (_stream: 1 | 2, data: string | Buffer) => io.print(2, data) }
    if (argv.length > 0) code = await run(argv, argv.length < words.length ? toErr : io)
  }
  return code
}

/** Nothing runs: every process has this number. */
export const PID = 4000

/**
 * A simulated process: a few commands, so that `sh -c "echo out; cat; exit 3"` really echoes and ends with 3. Runs
 * nothing on the machine.
 */
export class Process extends EventEmitter<{ output: [Printed]; exited: [code: number] }> {
  readonly log: Printed[] = []
  /** Input that comes before the start is kept. */
  readonly input = new PassThrough()
  readonly tty: boolean
  started = false
  /** 128 + n after signal n. */
  exitCode: number | undefined
  readonly #stop = new AbortController()

  constructor(tty: boolean) {
    super()
    this.setMaxListeners(0)
    this.tty = tty
  }

  get running(): boolean {
    return this.started && this.exitCode === undefined
  }

  start(argv: readonly string[]): void {
    this.started = true
    const print: Io['print'] = (stream, data) => {
      if (!this.running) return
      // A terminal turns line feeds into CR LF and has a single stream.
      const printed = this.tty
        ? { stream: 1 as const, data: Buffer.from(data.toString().replaceAll('\n', '\r\n')) }
        : { stream, data: Buffer.from(data) }
      this.log.push(printed)
      this.emit('output', printed)
    }
    // Asynchronous, so that the caller has recorded the start first.
    Promise.resolve()
      .then(() => run(argv, { print, input: this.input, signal: this.#stop.signal }))
      .then(
        (code) => this.end(code),
        () => this.end(1),
      )
  }

  end(code: number): void {
    if (!this.running) return
    this.exitCode = code
    this.#stop.abort()
    this.emit('exited', code)
  }
}
