import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'

/** A worker that is up, as the rest of the primary sees it. */
export interface Member {
  readonly worker: number
  tell(message: ToWorker): void
}

interface Told {
  ready(member: Member): void
  heard(member: Member, message: FromWorker): void
  left(member: Member): void
}

interface Running extends Member {
  readonly child: ChildProcess
  readonly since: number
  ready: boolean
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A worker that lived so long did not fail for being started again. */
const LIVED_MS = 60_000
/** Connections that come while no worker is up. */
const MOST_HELD = 1_000
/** Beyond the grace period, for the last records and the end itself. */
const MARGIN_MS = 10_000

// Beside this file, in the sources as in the build.
const PROGRAM = fileURLToPath(new URL(`worker${extname(import.meta.url)}`, import.meta.url))

export interface TeamOptions {
  readonly size: number
  readonly args: readonly string[]
  readonly begin: (worker: number) => ToWorker
  readonly log: Logger
  readonly told: Told
}

/** The worker processes: started, started again when one ends by itself, and given connections in turn. */
export class Team {
  readonly #options: TeamOptions
  readonly #running = new Map<number, Running>()
  readonly #pauses = new Map<number, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #held: { readonly listener: number; readonly connection: Socket }[] = []
  readonly #starting = Promise.withResolvers<void>()
  #next = 0
  #stopping = false
  #restarts = 0

  constructor(options: TeamOptions) {
    this.#options = options
  }

  /** Resolves when all are up; rejects with what the first says that cannot be. */
  async start(): Promise<void> {
    for (let worker = 1; worker <= this.#options.size; worker++) this.#fork(worker)
    await this.#starting.promise
  }

  get members(): readonly Member[] {
    return this.#up()
  }

  /** How many were started again. */
  get restarts(): number {
    return this.#restarts
  }

  /** Hands a connection to the next worker. */
  give(listener: number, connection: Socket): void {
    connection.on('error', () => connection.destroy())
    const up = this.#up()
    const chosen = up[this.#next++ % Math.max(1, up.length)]
    if (chosen === undefined) {
      if (this.#held.length < MOST_HELD && !this.#stopping) this.#held.push({ listener, connection })
      else connection.destroy()
      return
    }
    chosen.child.send({ kind: 'connection', listener } satisfies ToWorker, connection, { keepOpen: false }, (error) => {
      if (error !== null) connection.destroy()
    })
  }

  tellAll(message: ToWorker, but?: Member): void {
    for (const member of this.#up()) if (member !== but) member.tell(message)
  }

  /** Asks all to end, and ends those that do not within `graceMs` and a margin. */
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
    // Records are texts of JSON: v8's serializer copies them, JSON would write and read each character of them once more.
    const child = fork(PROGRAM, [...this.#options.args], { serialization: 'advanced' })
    const tell = (message: ToWorker): void => {
      if (child.connected) child.send(message, () => undefined) // one that ends is told of by `exit`
    }
    const member: Running = { worker, child, tell, since: performance.now(), ready: false }
    this.#running.set(worker, member)
    child.on('error', (err) => this.#options.log.error({ err, worker }, 'a worker cannot be reached'))
    child.on('message', (message) => {
      if (isMessage<FromWorker>(message)) this.#heard(member, message)
    })
    child.once('exit', (code, signal) => this.#ended(member, code ?? signal))
    tell(this.#options.begin(worker))
  }

  #heard(member: Running, message: FromWorker): void {
    if (message.kind === 'failed') this.#starting.reject(new Error(message.problems.join('\n')))
    if (message.kind !== 'ready') {
      this.#options.told.heard(member, message)
      return
    }
    member.ready = true
    this.#options.told.ready(member)
    for (const { listener, connection } of this.#held.splice(0)) this.give(listener, connection)
    if (this.#up().length === this.#options.size) this.#starting.resolve()
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
    this.#options.log.error({ worker, how }, `a worker ended by itself; another takes its place in ${pause} ms`)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#restarts++
      this.#fork(worker)
    }, pause)
    this.#timers.add(timer)
  }
}
