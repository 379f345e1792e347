import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import { isOlder } from '../../api/version.ts'
import type { Log } from '../../config/log.ts'
import type { EngineAnswer, ReplacedContainerIds } from '../../translate/message.ts'
import { isFullId, REPLACES } from '../../translate/replaced/label.ts'
import { KeptIds } from './kept.ts'
import { type CallEngine, type Left, leftSetAside, putBack } from './recovery.ts'
import type { Replacement, ReplacementStore } from './store.ts'
import { IdTable } from './table.ts'

/** The other worker processes of this bridge (src/proxy/workers). */
export interface Peers {
  /** Resolves when no other process works on the container. All processes hold calls for it until `release`. */
  claim(container: Container): Promise<Claim>
  replaced(clientId: string, engineId: string): void
  forgotten(engineId: string): void
}

export interface Claim {
  /** Whether a client of another process is attached to it, waits for it or follows it. */
  readonly watched: boolean
  release(): void
}

interface Container {
  readonly id: string
  readonly name: string
}

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

/** Engines below accept a HostConfig at start in all their versions: nothing is replaced. */
const FIRST = 24

/** A container that is being replaced. */
interface Busy extends Container {
  readonly done: Promise<void>
  /** By a client of another process. */
  watched: boolean
}

type Known = Required<Omit<Settings, 'peers' | 'store'>> & Pick<Settings, 'peers'>

/**
 * Containers that were recreated for a start with a HostConfig and keep the id that their client knows. The
 * replacements on an engine are loaded once per discovery.
 */
export class ReplacedContainers implements ReplacedContainerIds {
  readonly #table: IdTable
  readonly #kept: KeptIds
  readonly #call: CallEngine
  readonly #settings: Known
  #loadedFor: EngineFacts | undefined
  #loading: Promise<void> | undefined
  #nextLook = 0
  /** The last load failed. */
  #unanswered = false
  #begun = false
  /** Images with the label, committed from replaced containers. */
  #labelledImages = false
  readonly #busy = new Map<string, Busy>()
  /** Containers claimed by other processes, by token. */
  readonly #elsewhere = new Map<number, Busy & { readonly free: () => void }>()
  readonly #watched = new Map<string, number>()

  constructor(call: CallEngine, settings: Settings = {}, table = new IdTable()) {
    this.#call = call
    this.#table = table
    this.#settings = {
      patienceMs: 5_000,
      pauseMs: 5_000,
      turnMs: 30_000,
      graceMs: 10_000,
      log: noLog,
      ...settings,
    }
    this.#kept = new KeptIds(settings.store, this.#settings.log)
  }

  /** Whether this process has replaced any. Earlier replacements are known from `ready`. */
  get begun(): boolean {
    return this.#begun
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
    if (this.#table.toClient(engineId) !== engineId) this.#settings.peers?.forgotten(engineId)
    const client = this.#table.toClient(engineId)
    if (client !== engineId) void this.#kept.remove({ client, engine: engineId })
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
      this.#begun = true
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#elsewhere.set(token, { ...container, done: promise, watched: false, free: resolve })
      return [container.id, this.#table.toEngine(container.id)].some((id) => this.isWatched({ ...container, id }))
    },
    idle: (token: number): void => {
      this.#elsewhere.get(token)?.free()
      this.#elsewhere.delete(token)
    },
  }

  /** Runs `work` exclusively for a container; calls for it wait (`settled`). */
  async alone<T>(container: Container, work: () => Promise<T>): Promise<T> {
    for (let other = this.#busy.get(container.id); other !== undefined; other = this.#busy.get(container.id))
      await this.#turn(other)
    this.#begun = true
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Busy = { ...container, done: promise, watched: false }
    this.#busy.set(container.id, busy)
    let claim: Claim | undefined
    try {
      claim = await this.#claim(busy)
      busy.watched = claim?.watched === true
      return await work()
    } finally {
      claim?.release()
      this.#busy.delete(container.id)
      resolve()
    }
  }

  async #claim(busy: Busy): Promise<Claim | undefined> {
    const claiming = this.#settings.peers?.claim({ id: busy.id, name: busy.name })
    if (claiming === undefined) return undefined
    const state: { claim?: Claim } = {}
    const claimed = claiming.then((claim) => {
      state.claim = claim
    })
    // A claim that arrives after the timeout must be released.
    await this.#turn({ ...busy, done: claimed }).catch((cause: unknown) => {
      void claiming.then((claim) => claim.release())
      throw cause
    })
    return state.claim
  }

  /** What a call for this container, or for all of them, has to wait for. */
  settled(said?: string): Promise<unknown> | undefined {
    if (this.#busy.size === 0 && this.#elsewhere.size === 0) return undefined
    const name = said?.replace(/^\//, '')
    const concerned = [...this.#busy.values(), ...this.#elsewhere.values()].filter(
      (one) => name === undefined || one.name === name || (name !== '' && one.id.startsWith(name)),
    )
    return concerned.length === 0 ? undefined : Promise.all(concerned.map((one) => this.#turn(one)))
  }

  async #turn({ done, name }: Busy): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new ProxyError('conflict', `container ${name} is being recreated by another start; try again`)),
      this.#settings.turnMs,
    )
    await Promise.race([done, late.promise]).finally(() => clearTimeout(timer))
  }

  isMaking(name: JsonValue | undefined, clientId: JsonValue | undefined): boolean {
    const busy = [...this.#busy.values(), ...this.#elsewhere.values()]
    return busy.some((one) => one.name === name && one.id === clientId)
  }

  /**
   * Registers a client that is attached to the container, waits for it or follows it, until the returned function is
   * called.
   */
  watch(said: string): () => void {
    this.#watched.set(said, (this.#watched.get(said) ?? 0) + 1)
    return () => {
      const left = (this.#watched.get(said) ?? 1) - 1
      if (left === 0) this.#watched.delete(said)
      else this.#watched.set(said, left)
    }
  }

  isWatched({ id, name }: Container): boolean {
    if (this.#busy.values().some((busy) => busy.watched && busy.name === name)) return true
    if (this.#watched.size === 0) return false
    return this.#watched.keys().some((said) => {
      const plain = said.replace(/^\//, '')
      return plain === name || (plain.length > 3 && id.startsWith(plain))
    })
  }

  /**
   * Undoes an interrupted replacement of this or another bridge, unless that bridge continues it. Calls for it wait
   * meanwhile. Returns its ids: its own and the client's.
   */
  #recover(facts: EngineFacts, left: Left, clientOf: (id: string) => string): string[] {
    const own = String(left.containers[0]?.['Id'] ?? '')
    const client = clientOf(own)
    if ([...this.#busy.values()].some(({ name }) => name === left.name)) return [own, client]
    const { log, graceMs } = this.#settings
    const work = async (): Promise<void> => {
      await sleep(graceMs, undefined, { ref: false })
      const still = (await leftSetAside(this.#call, facts)).find(({ name }) => name === left.name)
      if (still === undefined || idsOf(still) !== idsOf(left)) return
      const outcome = await putBack(this.#call, facts, still, clientOf)
      this.#loadedFor = undefined // reload the ids
      log.warn({ container: left.name, outcome }, 'a bridge ended while it recreated a container')
    }
    void this.alone({ id: client, name: left.name }, work).catch((err: Error) =>
      log.warn({ err, container: left.name }, 'cannot restore a container after a bridge ended while it recreated it'),
    )
    return [own, client]
  }

  #look(facts: EngineFacts): Promise<void> {
    this.#loading ??= this.#read(facts).finally(() => {
      this.#loading = undefined
      this.#loadedFor = facts
      this.#nextLook = performance.now() + this.#settings.pauseMs
    })
    return this.#loading
  }

  /** On failure the known ids stay: calls must not depend on the load. */
  async #read(facts: EngineFacts): Promise<void> {
    const asked = performance.now()
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), this.#settings.patienceMs)
    const found = await Promise.race([this.#replacements(facts).catch(() => undefined), late.promise])
    clearTimeout(timer)
    this.#unanswered = found === undefined
    if (found !== undefined) this.#table.reset(found, asked)
  }

  async #replacements(facts: EngineFacts): Promise<Replacement[]> {
    const kept = await this.#kept.read() // first: an id stored after the engine's response must not look gone
    const known = new Map(kept.map(({ client, engine }) => [engine, client]))
    const clientOf = (id: string): string => known.get(id) ?? this.#table.toClient(id)
    const filters = new URLSearchParams({ filters: JSON.stringify({ label: [REPLACES] }) })
    const containers = listOf(await this.#call(facts, 'GET', `/containers/json?all=1&${filters}`))
    const left = await leftSetAside(this.#call, facts)
    const undone = new Set(left.flatMap((one) => this.#recover(facts, one, clientOf)))
    const { body: images } = await this.#call(facts, 'GET', `/images/json?${filters}`)
    this.#labelledImages = Array.isArray(images) && images.length > 0
    const present = new Set(containers.map((container) => String(container['Id'])))
    for (const one of kept) if (!present.has(one.engine)) void this.#kept.tidy(one)
    const strangers = containers.filter((one) => this.#isStranger(one, clientOf, undone))
    this.#kept.ignores(strangers.map((one) => String(one['Id'])))
    return [...present]
      .map((engine) => ({ client: clientOf(engine), engine }))
      .filter(({ client, engine }) => client !== engine)
      .filter(({ client, engine }) => !undone.has(client) || undone.has(engine)) // incomplete replacements will be removed
  }

  /** Whether a container's label claims an id that this bridge did not give it. */
  #isStranger(container: JsonObject, clientOf: (id: string) => string, undone: ReadonlySet<string>): boolean {
    const id = String(container['Id'])
    const said = labelOf(container) ?? ''
    return isFullId(said) && clientOf(id) === id && !undone.has(said) && !this.#busy.has(said)
  }
}

const idsOf = ({ containers }: Left): string => containers.map((one) => String(one['Id'])).join()

/** A failed list must not look empty. */
function listOf({ status, body, error }: EngineAnswer): JsonObject[] {
  if (status !== 200 || (body !== null && !Array.isArray(body))) throw new Error(error || 'the engine returned no list')
  return (body ?? []).filter(isObject)
}

function labelOf(object: JsonObject): string | undefined {
  const labels = object['Labels']
  const value = isObject(labels) ? labels[REPLACES] : undefined
  return typeof value === 'string' ? value : undefined
}
