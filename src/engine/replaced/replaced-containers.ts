import type { EngineFacts } from '../../api/engine-facts.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { isOlder } from '../../api/version.ts'
import type { Log } from '../../config/log.ts'
import { within } from '../../config/within.ts'
import type { EngineAnswer, ReplacedContainerIds } from '../../translate/message.ts'
import type { Call } from '../../translate/replaced/undo.ts'
import { type Container, ExclusiveWork, type Peers } from './exclusive.ts'
import { KeptIds } from './kept.ts'
import { load } from './load.ts'
import type { ReplacementStore } from './store.ts'
import { IdTable } from './table.ts'

/** Calls the engine at its highest version. */
export type CallEngine = (facts: EngineFacts, ...call: Parameters<Call>) => Promise<EngineAnswer>

interface Settings {
  readonly peers?: Peers | undefined
  /** Without a store, ids are lost when the process ends. */
  readonly store?: ReplacementStore | undefined
  /** Timeout for loading the ids. */
  readonly timeoutMs?: number
  /** Minimum time between loads caused by unknown ids. */
  readonly pauseMs?: number
  /** How long a call waits for a container that is being replaced. */
  readonly turnMs?: number
  /** How long another bridge may pause before its replacement counts as interrupted. */
  readonly graceMs?: number
  readonly log?: Pick<Log, 'warn'>
}

const noLog: Pick<Log, 'warn'> = { warn: () => undefined }
const DEFAULTS = { timeoutMs: 5_000, pauseMs: 5_000, turnMs: 30_000, graceMs: 10_000, log: noLog }

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
  readonly #stuck = new Set<string>()
  #loadedFor: EngineFacts | undefined
  #loading: { readonly facts: EngineFacts; readonly done: Promise<void> } | undefined
  #nextLook = 0
  /** The last load failed. */
  #unanswered = false
  /** Images with the label, committed from replaced containers. */
  #labelledImages = false
  /** Counts what would make a load in progress outdated. */
  #changes = 0

  constructor(call: CallEngine, settings: Settings = {}) {
    this.#call = call
    this.#settings = { ...DEFAULTS, ...settings }
    this.#kept = new KeptIds(settings.store, this.#settings.log)
    this.#work = new ExclusiveWork(settings.peers, this.#settings.turnMs)
  }

  /** Whether this process has replaced any. Earlier replacements are known from `mapsIds`. */
  get begun(): boolean {
    return this.#work.begun
  }

  /** Whether any id differs on this engine. Loads the ids after each discovery, and again after a failure. */
  mapsIds(facts: EngineFacts): boolean | Promise<boolean> {
    if (isOlder(facts.highest, FIRST)) return false
    if (this.#loadedFor !== facts) return this.#look(facts).then(() => this.#any())
    if (this.#unanswered && performance.now() >= this.#nextLook) void this.#look(facts)
    return this.#any()
  }

  #any(): boolean {
    return this.#table.size > 0 || this.#labelledImages
  }

  /** An unknown id may belong to a container that another bridge replaced, or left half done. */
  noteUnknownId(said: string, facts: EngineFacts): void {
    if (!/^[0-9a-f]{12,64}$/.test(said) || isOlder(facts.highest, FIRST) || performance.now() < this.#nextLook) return
    void this.#look(facts)
  }

  /** Resolves a path parameter. Asks the engine about abbreviated ids. */
  async resolve(said: string): Promise<string> {
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

  forget = (engine: string): void => {
    const client = this.fromPeers.forgotten(engine)
    if (client === undefined) return
    this.#settings.peers?.forgotten(engine)
    void this.#kept.remove({ client, engine }, 'everywhere')
  }

  /** Stores the ids before the original is removed, so that they survive a crash. */
  keep = (client: string, engine: string): Promise<void> => this.#kept.add({ client, engine })

  replaced = (client: string, engine: string): void => {
    this.fromPeers.replaced(client, engine)
    this.#settings.peers?.replaced(client, engine)
  }

  /** Notifications from other processes. */
  readonly fromPeers = {
    replaced: (client: string, engine: string): void => {
      this.#changes++
      this.#table.add(client, engine)
    },
    forgotten: (engine: string): string | undefined => {
      const client = this.#table.forget(engine)
      if (client !== undefined) this.#changes++
      return client
    },
    /** Holds calls for the container. Returns whether a client here is attached to it. */
    busy: (token: number, container: Container): boolean => {
      this.#work.hold(container, token)
      return this.isWatched(container)
    },
    idle: (token: number): void => this.#work.free(token),
  }

  runExclusively = <T>(container: Container, work: () => Promise<T>): Promise<T> =>
    this.#work.runExclusively(container, work)
  whenFree = (said?: string): Promise<unknown> | undefined => this.#work.whenFree(said)
  watch = (said: string): (() => void) => this.#work.watch(said)
  isWatched = ({ id, name }: Container): boolean => this.#work.isWatched({ ids: [id, this.#table.toEngine(id)], name })
  isMaking = (name: JsonValue | undefined, clientId: JsonValue | undefined): boolean =>
    this.#work.isMaking(name, clientId)

  /** One load at a time. Calls do not wait for it for long: when it takes longer, they go on with the known ids. */
  async #look(facts: EngineFacts): Promise<void> {
    if (this.#loading?.facts !== facts) this.#loading = { facts, done: this.#load(facts) }
    const loading = this.#loading
    const ended = loading.done.then(() => {
      if (this.#loading === loading) this.#loading = undefined
      return true
    })
    const inTime = await within(this.#settings.timeoutMs, ended, () => false)
    if (!inTime) this.#failed(new Error(`the engine did not answer within ${this.#settings.timeoutMs / 1000} seconds`))
    this.#loadedFor = facts
    this.#nextLook = performance.now() + this.#settings.pauseMs
  }

  /** Loads again what has changed meanwhile: a container may be in one list of the engine and gone from the next. */
  async #load(facts: EngineFacts): Promise<void> {
    const over = (): void => {
      this.#changes++
      this.#loadedFor = undefined
    }
    const call: Call = (...what) => this.#call(facts, ...what)
    const own = { table: this.#table, kept: this.#kept, work: this.#work, stuck: this.#stuck }
    const parts = { call, over, ...own, ...this.#settings }
    try {
      for (let tries = 0; tries < MAX_LOADS; tries++) {
        const before = this.#changes
        const { ids, images } = await load(parts)
        if (this.#changes !== before) continue
        this.#unanswered = false
        this.#labelledImages = images
        this.#table.reset(ids)
        return
      }
      throw new Error(`the replaced containers changed each of ${MAX_LOADS} times that they were read`)
    } catch (err) {
      this.#failed(err)
    }
  }

  /** The known ids stay: calls must not depend on the load. */
  #failed(err: unknown): void {
    if (!this.#unanswered)
      this.#settings.log.warn({ err }, 'cannot read which containers were replaced: the known ids stay')
    this.#unanswered = true
  }
}
