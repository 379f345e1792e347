import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import './provided.ts'
import { complaint } from '../../support/audit-schema.ts'
import { finishedLines } from '../../support/lines.ts'
import { PROGRAM } from '../../support/program.ts'
import { Client } from './client.ts'

const START_MS = 60_000
const STOP_MS = 20_000

let bridges = 0

/** A position in the output of a bridge. */
export interface Moment {
  readonly audit: number
  readonly said: number
}
const BEGINNING: Moment = { audit: 0, said: 0 }

/** A socket path that no other bridge of this run has. */
export function bridgeSocket(): string {
  return join(inject('live').folder, `b${process.pid}-${bridges++}.sock`)
}

/** The program, running before an engine. */
export class LiveBridge {
  readonly socket: string
  readonly #child: ChildProcess
  #said = ''

  /** `engine`: the path of the engine's socket, or its address; `env` is added to the program's environment. */
  constructor(socket: string, engine: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.socket = socket
    const addresses = ['--listen', `unix://${socket}`, '--engine', engine.includes(':') ? engine : `unix://${engine}`]
    // The level with the most work: it records bodies and changes.
    const level = flags.includes('--audit-level') ? [] : ['--audit-level', 'requestResponse']
    const audit = ['--audit-log', `${socket}.audit`, ...level]
    const records = [...audit, '--admin', `unix://${socket}.admin`]
    // Shared by all bridges of a run, because one takes the place of another that was killed.
    const state = ['--state', join(dirname(socket), 'state')]
    const log = ['--log-level', 'warn', '--log-format', 'json']
    // The folder's own settings must not reach the program under test.
    const clean = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('ENGINEBRIDGE_') && name !== 'DOCKER_HOST' && name !== 'DOCKER_CONTEXT',
    )
    // setpriv: the program ends with the test process, however that ends (prctl(2), PR_SET_PDEATHSIG).
    const command = ['--pdeathsig', 'TERM', ...PROGRAM, ...addresses, ...records, ...state, ...log, ...flags]
    this.#child = spawn('setpriv', command, {
      env: { ...Object.fromEntries(clean), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString()
      })
  }

  /** The program's log. */
  get said(): string {
    return this.#said
  }

  get exited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async ready(): Promise<void> {
    const client = new Client(this.socket)
    for (const end = performance.now() + START_MS; performance.now() < end; await sleep(50)) {
      if (this.exited) throw new Error(`the bridge ended with ${this.#child.exitCode}: ${this.#said}`)
      const status = await client.get('/_ping').then(
        (reply) => reply.status,
        () => 0, // not listening yet
      )
      if (status === 200) return
    }
    throw new Error(`the bridge does not answer: ${this.#said}`)
  }

  /** The audit records written so far, or those after `since`. */
  audit(since?: Moment): readonly Record<string, unknown>[] {
    return finishedLines(this.#auditText(since)).map((line): Record<string, unknown> => JSON.parse(line))
  }

  #auditText({ audit } = BEGINNING): string {
    return readFileSync(`${this.socket}.audit`).subarray(audit).toString()
  }

  now(): Moment {
    return { audit: this.#auditText().lastIndexOf('\n') + 1, said: this.#said.length }
  }

  /** The program's own count of calls under way. */
  async openCalls(): Promise<number> {
    const { text } = await new Client(`${this.socket}.admin`).get('/metrics')
    return Number(/^enginebridge_calls_open (\d+)$/m.exec(text)?.[1])
  }

  /** The number of the program's open sockets. */
  openSockets(): number {
    const folder = `/proc/${this.#child.pid}/fd`
    return readdirSync(folder).filter((fd) => linkOf(join(folder, fd)).startsWith('socket:')).length
  }

  /** Kills it as the kernel does when memory is short: the program cannot clean up. */
  async kill(): Promise<void> {
    if (this.exited) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Ends it as an init system would; fails if it does not exit with 0 or has logged an error of its own. */
  async stop(): Promise<void> {
    const crashed = this.exited
    if (!crashed) {
      this.#child.kill('SIGTERM')
      await Promise.race([once(this.#child, 'exit'), sleep(STOP_MS, undefined, { ref: false })])
    }
    if (!this.exited) {
      this.#child.kill('SIGKILL')
      throw new Error(`the bridge did not end within ${STOP_MS / 1000} s: ${this.#said}`)
    }
    if (crashed || this.#child.exitCode !== 0)
      throw new Error(`the bridge ended with ${this.#child.exitCode ?? this.#child.signalCode}: ${this.#said}`)
    if (!/(^|\n)$/.test(this.#auditText())) throw new Error('the last audit record was not written to its end')
    this.isWell()
  }

  /** Fails if it wrote an audit record that the schema does not allow, or logged an error of its own. */
  isWell(since = BEGINNING): void {
    const invalid = this.audit(since)
      .map(complaint)
      .filter((said) => said !== undefined)
    if (invalid.length > 0)
      throw new Error(`the published schema does not allow ${invalid.length} audit records: ${invalid[0]}`)
    const said = this.#said.slice(since.said)
    if (/"level":(50|60|"error"|"fatal")/.test(said)) throw new Error(`the bridge logged errors: ${said}`)
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed while we were looking
  }
}

/** Starts the program in front of `engine` and waits until it answers. */
export async function bridgeTo(
  engine: string,
  flags: readonly string[] = [],
  socket = bridgeSocket(),
): Promise<LiveBridge> {
  const bridge = new LiveBridge(socket, engine, flags)
  await bridge.ready()
  return bridge
}
