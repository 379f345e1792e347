import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineFacts } from '../api/engine-facts.ts'
import { isObject, listOf, stringOf } from '../api/json/json.ts'
import { formatVersion } from '../api/version.ts'
import type { Log } from '../config/log.ts'
import { AUTO_REMOVE, inspectOnceStopped, NEVER, stateOf } from '../translate/run/old-engines.ts'
import { type Asking, askEngineAt, askForStart, TO_ENGINE } from './ask.ts'

/** Limit of containers waited for; beyond it a create with AutoRemove is refused. */
const MAX_WAITING = 1000
const AGAIN_MS = 1000

/**
 * Removes containers that stop, for engines that do not do it themselves (before 1.25): their command lines did. A stream
 * of events is open for each of them.
 */
export class AutoRemoval {
  readonly #asking: Asking
  readonly #log: Pick<Log, 'info' | 'warn'>
  /** The exit codes of the containers, once they are removed. */
  readonly #waiting = new Map<string, Promise<number>>()
  readonly #closing = new AbortController()

  constructor(asking: Asking, log: Pick<Log, 'info' | 'warn'>) {
    this.#asking = asking
    this.#log = log
  }

  get full(): boolean {
    return this.#waiting.size >= MAX_WAITING
  }

  /** Removes the container once it has stopped. */
  add(facts: EngineFacts, id: string): void {
    if (this.#waiting.has(id) || this.full || this.#closing.signal.aborted) return
    this.#waiting.set(id, this.#watch(facts, id))
  }

  /** The exit code of a container that is to be removed, when it is; undefined for any other. */
  removed(id: string): Promise<number> | undefined {
    return this.#waiting.get(id)
  }

  /** Removes a container that could not be started, if it is one of them. */
  notStarted(facts: EngineFacts, id: string): void {
    if (this.#waiting.has(id)) this.#remove(facts, id).catch((err: unknown) => this.#failed(err, id))
  }

  /** Adds the containers that an earlier run of the bridge waited for. */
  async recover(facts: EngineFacts): Promise<void> {
    const filters = new URLSearchParams({ filters: JSON.stringify({ label: [AUTO_REMOVE] }) })
    try {
      const { status, body, error } = await this.#ask(facts, 'GET', `/containers/json?all=1&${filters}`)
      if (status >= 400) throw new Error(error)
      for (const container of listOf(body))
        if (isObject(container) && typeof container['Id'] === 'string') this.add(facts, container['Id'])
    } catch (err) {
      this.#log.warn({ err }, 'cannot list the containers that are to be removed when they stop')
    }
  }

  close(): void {
    this.#closing.abort()
  }

  #ask = (facts: EngineFacts, method: string, path: string): ReturnType<typeof askEngineAt> =>
    askEngineAt(this.#asking, facts.highest, method, path)

  /** Looks at the container now, after each of its events, and again when the engine has gone. */
  async #watch(facts: EngineFacts, id: string): Promise<number> {
    const last = { code: 0 }
    let outcome: 'gone' | 'runs' | 'failed' = 'runs'
    for (let ended = false; !this.#closing.signal.aborted; ) {
      const leaving = new AbortController()
      const event = this.#nextEvent(facts, id, AbortSignal.any([leaving.signal, this.#closing.signal]))
      outcome = await this.#lookAt(facts, id, ended, last).catch((err: unknown) =>
        outcome === 'failed' ? outcome : this.#failed(err, id),
      )
      if (outcome !== 'runs') leaving.abort()
      if (outcome === 'gone') {
        this.#waiting.delete(id)
        return last.code
      }
      const told = await event
      if (!told) await sleep(AGAIN_MS, undefined, { ref: false })
      ended = told || (ended && outcome === 'failed') // its event does not come again
    }
    return new Promise(() => undefined) // the bridge ends
  }

  /** Whether the container has stopped or is gone; false if the stream ends without telling it. */
  #nextEvent(facts: EngineFacts, id: string, signal: AbortSignal): Promise<boolean> {
    const filters = JSON.stringify({ container: [id], event: ['die', 'destroy'] })
    const path = `/v${formatVersion(facts.highest)}/events?${new URLSearchParams({ until: NEVER, filters })}`
    const request = { method: 'GET', path, headers: TO_ENGINE, body: null }
    return askForStart(this.#asking.engine, request, { bytes: 1, signal }).then(
      ({ status, start }) => status === 200 && start.length > 0,
      () => false,
    )
  }

  /** Removes the container if it has stopped, and notes its exit code. */
  async #lookAt(facts: EngineFacts, id: string, ended: boolean, last: { code: number }): Promise<'gone' | 'runs'> {
    const inspect = () => this.#ask(facts, 'GET', `/containers/${id}/json`)
    const { status, body, error } = await (ended ? inspectOnceStopped(inspect) : inspect())
    if (status === 404) return 'gone'
    if (status >= 400) throw new Error(error)
    const state = stateOf(body)
    // Engines give the year 1 for an end that has not happened.
    const hasStopped = state['Running'] === false && !stringOf(state['FinishedAt']).startsWith('0001-')
    if (!hasStopped) return 'runs'
    last.code = Number(state['ExitCode'] ?? 0)
    await this.#remove(facts, id)
    return 'gone'
  }

  async #remove(facts: EngineFacts, id: string): Promise<void> {
    const { status, error } = await this.#ask(facts, 'DELETE', `/containers/${id}?v=1`)
    if (status >= 400 && status !== 404)
      this.#log.warn({ container: id, error }, 'a container that stopped could not be removed')
    else this.#log.info({ container: id }, 'removed a container that stopped, for its AutoRemove')
  }

  #failed(err: unknown, id: string): 'failed' {
    this.#log.warn({ err, container: id }, 'cannot inspect a container that is to be removed when it stops')
    return 'failed'
  }
}
