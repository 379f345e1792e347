import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'
import { WORKER_WORD } from './worker-word.ts'

/** A running worker as seen by the rest of the primary. */
export interface Member {
  readonly worker: number
  tell(message: ToWorker): void
}

interface Told {
  ready(member: Member): void
  heard(member: Member, message: FromWorker): void
  left(member: Member): void
}

/** A client's connection and the listener that accepted it. */
interface Arrival {
  readonly listener: number
  readonly connection: Socket
}

/** A connection on its way to a worker. `left`: sent, and possibly received. */
interface Handed extends Arrival {
  left: boolean
}

interface Running extends Member {
  readonly child: ChildProcess
  readonly since: number
  ready: boolean
  /**
   * Connections that the worker has not confirmed, by number. The channel passes one at a time; when the worker ends,
   * it drops the queued ones and keeps the current one open (lib/internal/child_process.js), so that their clients
   * would wait forever.
   */
  readonly untaken: Map<number, Handed>
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

export interface TeamOptions {
  readonly size: number
  readonly args: readonly string[]
  readonly begin: (worker: number) => ToWorker
  readonly log: Logger
  readonly told: Told
}

/** Starts the worker processes, restarts those that crash, and distributes connections in turn. */
export class WorkerPool {
  readonly #options: TeamOptions
  readonly #running = new Map<number, Running>()
  readonly #pauses = new Map<number, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #held: Arrival[] = []
  readonly #starting = Promise.withResolvers<void>()
  #next = 0
  #number = 0
  #started = false
  #stopping = false
  #restarts = 0

  constructor(options: TeamOptions) {
    this.#options = options
  }

  /** Resolves when all workers are up; rejects with the first worker's startup error. */
  async start(): Promise<void> {
    for (let worker = 1; worker <= this.#options.size; worker++) this.#fork(worker)
    await this.#starting.promise
  }

  get members(): readonly Member[] {
    return this.#up()
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Passes a connection to the next worker. */
  give(listener: number, connection: Socket): void {
    connection.on('error', () => connection.destroy())
    this.#place({ listener, connection })
  }

  #place(arrival: Arrival): void {
    const chosen = this.#inTurn()
    const { listener, connection } = arrival
    if (chosen === undefined || chosen.untaken.size >= MAX_HELD) {
      if (chosen === undefined && this.#held.length < MAX_HELD && !this.#stopping) this.#held.push(arrival)
      else connection.destroy()
      return
    }
    const number = ++this.#number
    const handed: Handed = { ...arrival, left: false }
    chosen.untaken.set(number, handed)
    const message = { kind: 'connection', listener, number } satisfies ToWorker
    // Kept open here until the worker confirms it.
    chosen.child.send(message, connection, { keepOpen: true }, (error) => {
      handed.left = true
      if (error !== null) taken(chosen, number)
    })
  }

  /** The next worker, skipping those with unconfirmed connections if another has none. */
  #inTurn(): Running | undefined {
    const up = this.#up().filter(({ child }) => child.connected)
    const first = this.#next++ % Math.max(1, up.length)
    const turns = [...up.slice(first), ...up.slice(0, first)]
    return turns.find(({ untaken }) => untaken.size === 0) ?? turns[0]
  }

  tellAll(message: ToWorker, but?: Member): void {
    for (const member of this.#up()) if (member !== but) member.tell(message)
  }

  /** Asks all workers to stop; kills those still running after `graceMs` and a margin. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { connection } of this.#held) connection.destroy()
    const ends = [...this.#running.values()].map(async ({ child, ready, tell }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve())
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      if (ready) tell({ kind: 'stop' })
      else child.kill('SIGKILL')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs + MARGIN_MS)
      await promise.finally(() => clearTimeout(timer))
    })
    await Promise.all(ends)
  }

  #up = (): Running[] => [...this.#running.values()].filter(({ ready }) => ready)

  #fork(worker: number): void {
    // Records are JSON text: v8's serializer copies them, while JSON would escape and parse them again.
    const child = fork(PROGRAM, [...this.#options.args], {
      serialization: 'advanced',
      // The executable embeds its Node flags, and would parse these as arguments.
      ...(isSea() ? { execArgv: [] } : {}),
    })
    const tell = (message: ToWorker): void => {
      if (child.connected) child.send(message, () => undefined) // `exit` reports a worker that has ended
    }
    const member: Running = { worker, child, tell, since: performance.now(), ready: false, untaken: new Map() }
    this.#running.set(worker, member)
    child.on('error', (err) => this.#options.log.error({ err, worker }, 'a worker cannot be reached'))
    child.on('message', (message) => {
      if (isMessage<FromWorker>(message)) this.#heard(member, message)
    })
    child.once('exit', (code, signal) => this.#ended(member, code ?? signal))
    // `close`, not `exit`: until the channel closes, it may still pass them.
    child.once('close', () => this.#passOn(member))
    tell(this.#options.begin(worker))
  }

  #heard(member: Running, message: FromWorker): void {
    if (message.kind === 'took') {
      taken(member, message.number)
      return
    }
    if (message.kind === 'failed') this.#failed(member, message.problems)
    if (message.kind !== 'ready') {
      this.#options.told.heard(member, message)
      return
    }
    member.ready = true
    this.#options.told.ready(member)
    for (const arrival of this.#held.splice(0)) this.#place(arrival)
    if (this.#up().length < this.#options.size) return
    this.#started = true
    this.#starting.resolve()
  }

  /** Before all workers are up, the problems fail the start; later they are logged. */
  #failed({ worker }: Running, problems: readonly string[]): void {
    if (this.#started) this.#options.log.error({ worker, problems }, 'a worker cannot start')
    else this.#starting.reject(new Error(problems.join('\n')))
  }

  /** Connections that were never sent to the ended worker are unread: another can serve them. */
  #passOn({ untaken }: Running): void {
    const left = [...untaken.values()]
    untaken.clear()
    for (const { left: mayBeThere, listener, connection } of left) {
      if (mayBeThere || this.#stopping) connection.destroy()
      else this.#place({ listener, connection })
    }
  }

  #ended(member: Running, how: number | string | null): void {
    const { worker, since } = member
    this.#running.delete(worker)
    this.#options.told.left(member)
    if (this.#stopping) return
    this.#starting.reject(new Error(`worker ${worker} ended (${how}) before it served`))
    const lived = performance.now() - since
    const before = lived > LIVED_MS ? undefined : this.#pauses.get(worker)
    const pause = before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, LONGEST_PAUSE_MS)
    this.#pauses.set(worker, pause)
    this.#options.log.error({ worker, how }, `a worker ended by itself; restarting it in ${pause} ms`)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#restarts++
      this.#fork(worker)
    }, pause)
    this.#timers.add(timer)
  }
}

/** Closes the primary's copy of a connection that the worker has received or cannot receive. */
function taken({ untaken }: Running, number: number): void {
  untaken.get(number)?.connection.destroy()
  untaken.delete(number)
}
