import type { EngineFacts } from '../api/engine-facts.ts'
import { isObject, type JsonObject, type JsonValue, listOf, memberAt, parseJson, stringOf } from '../api/json/json.ts'
import { formatVersion } from '../api/version.ts'
import type { Log } from '../config/log.ts'
import { AUTO_REMOVE, inspectOnceStopped, NEVER } from '../translate/run/old-engines.ts'
import { RecordSplitter } from '../translate/run/record-splitter.ts'
import { type Asking, askEngineAt } from './ask.ts'

/** Limit of containers waited for; beyond it a create with AutoRemove is refused. */
const MAX_WAITING = 1000
const AGAIN_MS = 1000
const LONGEST_RECORD = 1 << 20

interface Waited {
  readonly removed: Promise<number>
  readonly done: (exitCode: number) => void
  /** Set when the container has stopped. */
  exitCode: number
}

/**
 * Removes containers that stop, for engines that do not do it themselves (before 1.25): their command lines did. One stream of
 * events is open while there is such a container.
 */
export class AutoRemoval {
  readonly #asking: Asking
  readonly #log: Pick<Log, 'info' | 'warn'>
  readonly #waiting = new Map<string, Waited>()
  #abort: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(asking: Asking, log: Pick<Log, 'info' | 'warn'>) {
    this.#asking = asking
    this.#log = log
  }

  get full(): boolean {
    return this.#waiting.size >= MAX_WAITING
  }

  /** Removes the container once it has stopped. */
  add(facts: EngineFacts, id: string): void {
    if (this.#waiting.has(id) || this.full || this.#closed) return
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#waiting.set(id, { removed: promise, done: resolve, exitCode: 0 })
    if (this.#abort === undefined && this.#timer === undefined) this.#listen(facts)
  }

  /** The exit code of a container that is to be removed, when it is; undefined for any other. */
  removed(id: string): Promise<number> | undefined {
    return this.#waiting.get(id)?.removed
  }

  /** Removes a container that could not be started, if it is one of them. */
  notStarted(facts: EngineFacts, id: string): void {
    if (this.#waiting.has(id)) this.#look(facts, id, 'not started')
  }

  /** Adds the containers that an earlier run of the bridge waited for. */
  async recover(facts: EngineFacts): Promise<void> {
    const filters = new URLSearchParams({ filters: JSON.stringify({ label: [AUTO_REMOVE] }) })
    const { body } = await this.#ask(facts, 'GET', `/containers/json?all=1&${filters}`)
    for (const container of listOf(body))
      if (isObject(container) && typeof container['Id'] === 'string') this.add(facts, container['Id'])
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#abort?.()
  }

  #ask = (facts: EngineFacts, method: string, path: string): ReturnType<typeof askEngineAt> =>
    askEngineAt(this.#asking, facts.highest, method, path)

  #listen(facts: EngineFacts): void {
    this.#timer = undefined
    const query = new URLSearchParams({ until: NEVER, filters: JSON.stringify({ event: ['die', 'destroy'] }) })
    const path = `/v${formatVersion(facts.highest)}/events?${query}`
    const splitter = new RecordSplitter(LONGEST_RECORD)
    const over = (): void => {
      if (this.#abort === abort) this.#again(facts)
    }
    const call = this.#asking.engine.send(
      { method: 'GET', path, headers: ['Host', 'docker'], body: null },
      {
        head: () => undefined,
        data: (piece) => {
          for (const record of splitter.push(piece)) this.#happened(facts, parseJson(record.toString()))
        },
        end: over,
        failed: over,
      },
    )
    const abort = (): void => call.abort()
    this.#abort = abort
    for (const id of this.#waiting.keys()) this.#look(facts, id) // stopped while nobody followed the events
  }

  /** The stream has ended with the engine. */
  #again(facts: EngineFacts): void {
    this.#abort = undefined
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#listen(facts), AGAIN_MS).unref()
  }

  #happened(facts: EngineFacts, event: JsonValue): void {
    const id = stringOf(memberAt(event, 'id'))
    if (this.#waiting.has(id)) this.#look(facts, id, 'ended')
  }

  /** `known`: what an event or a failed start says about the container. */
  #look(facts: EngineFacts, id: string, known?: 'ended' | 'not started'): void {
    this.#remove(facts, id, known).catch((err: unknown) =>
      this.#log.warn({ err, container: id }, 'a container that is to be removed when it stops could not be looked at'),
    )
  }

  async #remove(facts: EngineFacts, id: string, known: 'ended' | 'not started' | undefined): Promise<void> {
    const inspect = () => this.#ask(facts, 'GET', `/containers/${id}/json`)
    const { status, body } = await (known === 'ended' ? inspectOnceStopped(inspect) : inspect())
    if (status === 404) return this.#forget(id)
    const state = memberAt(body, 'State')
    const waited = this.#waiting.get(id)
    if (!isObject(state) || state['Running'] === true || waited === undefined) return
    if (known !== 'not started' && neverStopped(state)) return
    waited.exitCode = Number(state['ExitCode'] ?? 0) // the destroy event may come before the answer to the removal
    const removal = await this.#ask(facts, 'DELETE', `/containers/${id}?v=1`)
    if (removal.status >= 400 && removal.status !== 404)
      this.#log.warn({ container: id, error: removal.error }, 'a container that stopped could not be removed')
    else this.#log.info({ container: id }, 'removed a container that stopped, for its AutoRemove')
    this.#forget(id)
  }

  #forget(id: string): void {
    const waited = this.#waiting.get(id)
    waited?.done(waited.exitCode)
    this.#waiting.delete(id)
    if (this.#waiting.size > 0) return
    const abort = this.#abort
    this.#abort = undefined
    abort?.()
  }
}

/** Created, and not started yet: engines give the year 1 for what has not happened. */
const neverStopped = (state: JsonObject): boolean => String(state['FinishedAt']).startsWith('0001-')
