import type { EngineFacts } from '../../api/engine-facts.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { isOlder } from '../../api/version.ts'
import type { Log } from '../../config/log.ts'
import { within } from '../../config/within.ts'
import type { ReplacedContainerIds } from '../../translate/message.ts'
import { type Container, ExclusiveWork, type Peers } from './exclusive.ts'
import { KeptIds } from './kept.ts'
import { type Loaded, load } from './load.ts'
import type { CallEngine } from './recovery.ts'
import type { ReplacementStore } from './store.ts'
import { IdTable } from './table.ts'

interface Settings {
  readonly peers?: Peers
  /** Without a store, ids are lost when the process ends. */
  readonly store?: ReplacementStore
  /** Timeout for loading the ids. */
  readonly patienceMs?: number
  /** Minimum time between loads caused by unknown ids. */
  readonly pauseMs?: number
  /** How long a call waits for a container that is being replaced. */
  readonly turnMs?: number
  /** How long another bridge may pause before its replacement counts as interrupted. */
  readonly graceMs?: number
  readonly log?: Pick<Log, 'warn'>
}

const noLog: Pick<Log, 'warn'> = { warn: () => undefined }
const DEFAULTS = { patienceMs: 5_000, pauseMs: 5_000, turnMs: 30_000, graceMs: 10_000, log: noLog }

/** Engines below accept a HostConfig at start in all their versions: nothing is replaced. */
const FIRST = 24
const MAX_LOADS = 20

/**
 * Containers that were recreated for a start with a HostConfig and keep the id that their client knows. The
 * replacements on an engine are loaded once per discovery.
 */
export class ReplacedContainers implements ReplacedContainerIds {
  readonly #table = new IdTable()
  readonly #kept: KeptIds
  readonly #work: ExclusiveWork
  readonly #call: CallEngine
  readonly #settings: typeof DEFAULTS & Pick<Settings, 'peers'>
  #loadedFor: EngineFacts | undefined
  #loading: { readonly facts: EngineFacts; readonly done: Promise<void> } | undefined
  #nextLook = 0
  /** The last load failed. */
  #unanswered = false
  /** Images with the label, committed from replaced containers. */
  #labelledImages = false
  /** How many interrupted replacements ended. */
  #ended = 0

  constructor(call: CallEngine, settings: Settings = {}) {
    this.#call = call
    this.#settings = { ...DEFAULTS, ...settings }
    this.#kept = new KeptIds(settings.store, this.#settings.log)
    this.#work = new ExclusiveWork(settings.peers, this.#settings.turnMs)
  }

  /** Whether this process has replaced any. Earlier replacements are known from `ready`. */
  get begun(): boolean {
    return this.#work.begun
  }

  /** Whether any id differs on this engine. Loads the ids after each discovery, and again after a failure. */
  ready(facts: EngineFacts): boolean | Promise<boolean> {
    if (isOlder(facts.highest, FIRST)) return false
    if (this.#loadedFor !== facts) return this.#look(facts).then(() => this.#any())
    if (this.#unanswered && performance.now() >= this.#nextLook) void this.#look(facts)
    return this.#any()
  }

  #any(): boolean {
    if (this.#table.size > 0) this.#table.sweep()
    return this.#table.size > 0 || this.#labelledImages
  }

  /** An unknown id may belong to a container that another bridge replaced. */
  unknown(said: string, facts: EngineFacts): void {
    if (!/^[0-9a-f]{12,64}$/.test(said) || isOlder(facts.highest, FIRST) || performance.now() < this.#nextLook) return
    void this.#look(facts)
  }

  /** Resolves a path parameter. Asks the engine about abbreviated ids. */
  resolve(said: string): string | Promise<string> {
    const known = this.#table.toEngine(said)
    const guess = known === said ? this.#table.guess(said) : undefined
    const facts = this.#loadedFor
    if (guess === undefined || facts === undefined) return known
    // An engine's own match takes precedence.
    return this.#call(facts, 'GET', `/containers/${said}/json`).then(
      ({ status }) => (status === 404 ? guess : said),
      () => said,
    )
  }

  toEngine = (said: string): string => this.#table.toEngine(said)
  toClient = (id: string): string => this.#table.toClient(id)
  forget = (engineId: string): void => {
    const client = this.#table.toClient(engineId)
    if (client !== engineId) {
      this.#settings.peers?.forgotten(engineId)
      void this.#kept.remove({ client, engine: engineId })
    }
    this.#table.forget(engineId)
  }

  /** Stores the ids before the original is removed, so that they survive a crash. */
  keep = async (client: string, engine: string): Promise<() => Promise<void>> => {
    await this.#kept.add({ client, engine })
    return () => this.#kept.remove({ client, engine })
  }

  replaced = (clientId: string, engineId: string): void => {
    this.#table.add(clientId, engineId)
    this.#settings.peers?.replaced(clientId, engineId)
  }

  /** Notifications from other processes. */
  readonly told = {
    replaced: (clientId: string, engineId: string): void => this.#table.add(clientId, engineId),
    forgotten: (engineId: string): void => this.#table.forget(engineId),
    /** Holds calls for the container. Returns whether a client here is attached to it. */
    busy: (token: number, container: Container): boolean => {
      this.#work.hold(token, container)
      return [container.id, this.#table.toEngine(container.id)].some((id) => this.isWatched({ ...container, id }))
    },
    idle: (token: number): void => this.#work.free(token),
  }

  alone = <T>(container: Container, work: () => Promise<T>): Promise<T> => this.#work.alone(container, work)
  settled = (said?: string): Promise<unknown> | undefined => this.#work.settled(said)
  watch = (said: string): (() => void) => this.#work.watch(said)
  isWatched = (container: Container): boolean => this.#work.isWatched(container)
  isMaking = (name: JsonValue | undefined, clientId: JsonValue | undefined): boolean =>
    this.#work.isMaking(name, clientId)

  /** One load at a time. Calls do not wait for it for long: when it takes longer, they go on with the known ids. */
  async #look(facts: EngineFacts): Promise<void> {
    if (this.#loading?.facts !== facts) this.#loading = { facts, done: this.#read(facts) }
    const loading = this.#loading
    const ended = loading.done.then(() => {
      if (this.#loading === loading) this.#loading = undefined
      return true
    })
    const inTime = await within(this.#settings.patienceMs, ended, () => false)
    if (!inTime) this.#failed(new Error(`the engine did not answer within ${this.#settings.patienceMs / 1000} seconds`))
    this.#loadedFor = facts
    this.#nextLook = performance.now() + this.#settings.pauseMs
  }

  /** Loads again when an interrupted replacement ends meanwhile: its container may be in one list and gone from the next. */
  async #load(facts: EngineFacts): Promise<Loaded> {
    const over = (restored?: string): void => {
      this.#ended++
      if (restored !== undefined) this.#table.restored(restored)
      this.#loadedFor = undefined
    }
    const parts = { call: this.#call, table: this.#table, kept: this.#kept, work: this.#work }
    for (let tries = 0; tries < MAX_LOADS; tries++) {
      const before = this.#ended
      const loaded = await load({ ...parts, ...this.#settings, over }, facts)
      if (this.#ended === before) return loaded
    }
    throw new Error(`interrupted replacements kept ending while they were read ${MAX_LOADS} times`)
  }

  async #read(facts: EngineFacts): Promise<void> {
    const asked = performance.now()
    try {
      const { ids, images } = await this.#load(facts)
      this.#unanswered = false
      this.#labelledImages = images
      this.#table.reset(ids, asked)
    } catch (err) {
      this.#failed(err)
    }
  }

  /** The known ids stay: calls must not depend on the load. */
  #failed(err: unknown): void {
    if (!this.#unanswered)
      this.#settings.log.warn({ err }, 'cannot read which containers were made anew: the ids known so far stay')
    this.#unanswered = true
  }
}
