import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { messageOf } from '../../config/text.ts'
import type { Handed } from '../core.ts'
import type { Config } from '../settings/settings.ts'
import { type PrimaryCalls, WORKER_WORD, type WorkerCalls } from './calls.ts'
import { Link } from './link.ts'

/** A running worker as seen by the rest of the primary. */
export interface Member {
  readonly worker: number
  readonly link: Pick<Link<WorkerCalls, PrimaryCalls>, 'call' | 'tell'>
}

/** A client's connection and the listener that accepted it. */
interface Arrival {
  readonly listener: number
  readonly connection: Socket
}

interface Running extends Member {
  readonly child: ChildProcess
  readonly since: number
  /** Milliseconds before it is started again. */
  readonly pauseMs: number
  ready: boolean
  /** Connections that the worker has not confirmed. */
  untaken: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A worker that ran longer than this restarts after the shortest pause. */
const LIVED_MS = 60_000
/** Limit for connections that wait for a worker. */
const MAX_HELD = 1_000
/** Added to the grace period, for the last records and the exit itself. */
const MARGIN_MS = 10_000

// Next to this file, in the sources as in the build; the single executable starts itself (packaging/executable-main.ts).
const PROGRAM = isSea() ? WORKER_WORD : fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url))

interface PoolOptions {
  readonly config: Config
  /** As it is when a worker starts. */
  readonly handed: () => Handed
  readonly log: Logger
  /** The primary's functions for this worker. */
  readonly serves: (member: Member) => PrimaryCalls
  readonly ready: (member: Member) => void
  readonly left: (member: Member) => void
}

/** Starts the worker processes, restarts those that crash, and distributes connections in turn. */
export class WorkerPool {
  /** Workers started again after they had ended by themselves. */
  restarts = 0
  readonly #options: PoolOptions
  readonly #running = new Map<number, Running>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #held: Arrival[] = []
  readonly #starting = Promise.withResolvers<void>()
  #next = 0
  #started = false
  #stopping = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Resolves when all workers are up; rejects with the first worker's startup error. */
  async start(): Promise<void> {
    for (let worker = 1; worker <= this.#options.config.workers; worker++) this.#fork(worker, FIRST_PAUSE_MS)
    await this.#starting.promise
  }

  /** The workers that serve. */
  get members(): readonly Running[] {
    return [...this.#running.values()].filter(({ ready }) => ready)
  }

  /** Passes a connection to the next worker. */
  give(listener: number, connection: Socket): void {
    connection.on('error', () => connection.destroy())
    this.#place({ listener, connection })
  }

  /**
   * A connection stays open here until the worker has confirmed it: the channel passes one at a time; when the worker
   * ends, it drops the queued ones and keeps the current one open (lib/internal/child_process.js), so that their clients
   * would wait forever. Those that were never sent are unread: another worker can serve them.
   */
  #place(arrival: Arrival): void {
    const chosen = this.#inTurn()
    const { listener, connection } = arrival
    if (chosen === undefined || chosen.untaken >= MAX_HELD) {
      if (chosen === undefined && this.#held.length < MAX_HELD && !this.#stopping) this.#held.push(arrival)
      else connection.destroy()
      return
    }
    let left = false
    const handed = {
      socket: connection,
      sent: () => {
        left = true
      },
    }
    chosen.untaken++
    chosen.link
      .call('connection', [listener], handed)
      .finally(() => chosen.untaken--)
      .then(
        () => connection.destroy(),
        () => (left || this.#stopping ? connection.destroy() : this.#place(arrival)),
      )
  }

  /** The next worker, skipping those with unconfirmed connections if another has none. */
  #inTurn(): Running | undefined {
    const up = this.members.filter(({ child }) => child.connected)
    const first = this.#next++ % Math.max(1, up.length)
    const turns = [...up.slice(first), ...up.slice(0, first)]
    return turns.find(({ untaken }) => untaken === 0) ?? turns[0]
  }

  /** Also those that start: they were handed already what has changed now. */
  tellAll<Name extends keyof WorkerCalls>(name: Name, args: Parameters<WorkerCalls[Name]>, but?: Member): void {
    for (const member of this.#running.values()) if (member !== but) member.link.tell(name, args)
  }

  /** Asks all workers to stop; kills those still running after `graceMs` and a margin. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { connection } of this.#held) connection.destroy()
    const ends = [...this.#running.values()].map(async ({ child, ready, link }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve())
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      if (ready) link.tell('stop', [])
      else child.kill('SIGKILL')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs + MARGIN_MS)
      await promise.finally(() => clearTimeout(timer))
    })
    await Promise.all(ends)
  }

  #fork(worker: number, pauseMs: number): void {
    // Records are JSON text: v8's serializer copies them, while JSON would escape and parse them again.
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      // The executable embeds its Node flags, and would parse these as arguments.
      ...(isSea() ? { execArgv: [] } : {}),
    })
    const link = new Link<WorkerCalls, PrimaryCalls>(child)
    const member: Running = { worker, child, link, since: performance.now(), pauseMs, ready: false, untaken: 0 }
    link.serve(this.#options.serves(member))
    this.#running.set(worker, member)
    child.on('error', (err) => this.#options.log.error({ err, worker }, 'a worker cannot be reached'))
    // Not `exit`: until the channel closes, it may still pass connections, and a process that cannot be forked only closes.
    child.once('close', (code, signal) => this.#ended(member, code ?? signal))
    child.once('close', () => link.close(`worker ${worker} has ended`))
    link.call('begin', [worker, this.#options.config, this.#options.handed()]).then(
      () => this.#serves(member),
      (cause: unknown) => this.#failed(member, cause),
    )
  }

  #serves(member: Running): void {
    member.ready = true
    this.#options.ready(member)
    for (const arrival of this.#held.splice(0)) this.#place(arrival)
    if (this.members.length < this.#options.config.workers) return
    this.#started = true
    this.#starting.resolve()
  }

  /** Before all workers are up, the problems fail the start; later they are logged. */
  #failed({ worker, child }: Running, cause: unknown): void {
    if (!child.connected) return // it has ended
    const problems = messageOf(cause).split('\n')
    if (this.#started) this.#options.log.error({ worker, problems }, 'a worker cannot start')
    else this.#starting.reject(cause)
    child.disconnect() // which ends it
  }

  #ended(member: Running, how: number | string | null): void {
    const { worker, since, pauseMs } = member
    this.#running.delete(worker)
    this.#options.left(member)
    if (this.#stopping) return
    this.#starting.reject(new Error(`worker ${worker} ended (${how}) before it served`))
    const pause = performance.now() - since > LIVED_MS ? FIRST_PAUSE_MS : pauseMs
    this.#options.log.error({ worker, how }, `a worker ended by itself; restarting it in ${pause} ms`)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.restarts++
      this.#fork(worker, Math.min(pause * 2, LONGEST_PAUSE_MS))
    }, pause)
    this.#timers.add(timer)
  }
}
