import { Refusal } from '../errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../translate/json.ts'
import type { ContainerAliases, EngineAnswer, EngineFacts } from '../translate/message.ts'
import { isFullId, isSetAside, REPLACES } from './label.ts'
import { AliasTable } from './table.ts'

/** Asks the engine, at its highest version. */
export type Ask = (facts: EngineFacts, path: string) => Promise<EngineAnswer>

interface Settings {
  /** How long an answer to the look-up is waited for. */
  readonly patienceMs?: number
  /** How often at most an unknown id leads to a look-up. */
  readonly pauseMs?: number
  /** How long a call waits for a container that is being made anew. */
  readonly turnMs?: number
}

/** Engines below take a HostConfig with a start at every version that they speak: nothing is made anew there. */
const FIRST = 24

/** A container whose place is being taken, by the names that calls may have for it. */
interface Busy {
  readonly id: string
  readonly name: string
  readonly done: Promise<void>
}

/**
 * Containers that were made anew for a start with a HostConfig, and go on under the id that create gave. Nothing is
 * kept but in memory: the table is read from the engine, by label, once for each discovery of it.
 */
export class Aliases implements ContainerAliases {
  readonly #table: AliasTable
  readonly #ask: Ask
  readonly #settings: Required<Settings>
  #loadedFor: EngineFacts | undefined
  #loading: Promise<void> | undefined
  #nextLook = 0
  /** Images that carry the label, from commits of such containers. */
  #labelledImages = false
  readonly #busy = new Map<string, Busy>()
  readonly #watched = new Map<string, number>()

  constructor(ask: Ask, settings: Settings = {}, table = new AliasTable()) {
    this.#ask = ask
    this.#table = table
    this.#settings = { patienceMs: 5_000, pauseMs: 5_000, turnMs: 30_000, ...settings }
  }

  /** Whether any id needs translation on this engine. Asks it once after each discovery. */
  ready(facts: EngineFacts): boolean | Promise<boolean> {
    if (facts.highest < FIRST) return false
    if (this.#loadedFor === facts) return this.#any()
    return this.#look(facts).then(() => this.#any())
  }

  #any(): boolean {
    if (this.#table.size > 0) this.#table.sweep()
    return this.#table.size > 0 || this.#labelledImages
  }

  /** An id that the engine does not know may be that of a container which another bridge made anew. */
  unknown(said: string, facts: EngineFacts): void {
    if (!/^[0-9a-f]{12,64}$/.test(said) || facts.highest < FIRST || performance.now() < this.#nextLook) return
    void this.#look(facts)
  }

  /** The path parameter of a call as the engine knows it. Asks when only a few digits were given. */
  resolve(said: string): string | Promise<string> {
    const known = this.#table.toEngine(said)
    const guess = known === said ? this.#table.guess(said) : undefined
    const facts = this.#loadedFor
    if (guess === undefined || facts === undefined) return known
    // A container of that name, or whose own id begins so, goes first.
    return this.#ask(facts, `/containers/${said}/json`).then(
      ({ status }) => (status === 404 ? guess : said),
      () => said,
    )
  }

  toEngine = (said: string): string => this.#table.toEngine(said)
  toClient = (id: string): string => this.#table.toClient(id)
  forget = (engineId: string): void => this.#table.forget(engineId)

  replaced = (clientId: string, engineId: string): void => this.#table.add(clientId, engineId)

  /** Runs `work` while nobody else does for this container; calls for it wait (`settled`). */
  async alone<T>(container: { readonly id: string; readonly name: string }, work: () => Promise<T>): Promise<T> {
    for (let other = this.#busy.get(container.id); other !== undefined; other = this.#busy.get(container.id))
      await this.#turn(other)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#busy.set(container.id, { ...container, done: promise })
    try {
      return await work()
    } finally {
      this.#busy.delete(container.id)
      resolve()
    }
  }

  /** What a call for this container, or for all of them, has to wait for; undefined: nothing. */
  settled(said?: string): Promise<unknown> | undefined {
    if (this.#busy.size === 0) return undefined
    const name = said?.replace(/^\//, '')
    const concerned = [...this.#busy.values()].filter(
      (one) => name === undefined || one.name === name || (name !== '' && one.id.startsWith(name)),
    )
    return concerned.length === 0 ? undefined : Promise.all(concerned.map((one) => this.#turn(one)))
  }

  async #turn({ done, name }: Busy): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Refusal('conflict', `container ${name} is being made anew by another start; try again`)),
      this.#settings.turnMs,
    )
    await Promise.race([done, late.promise]).finally(() => clearTimeout(timer))
  }

  /** A client is attached to the container, waits for it or follows it, until the returned function is called. */
  watch(said: string): () => void {
    this.#watched.set(said, (this.#watched.get(said) ?? 0) + 1)
    return () => {
      const left = (this.#watched.get(said) ?? 1) - 1
      if (left === 0) this.#watched.delete(said)
      else this.#watched.set(said, left)
    }
  }

  isWatched({ id, name }: { readonly id: string; readonly name: string }): boolean {
    if (this.#watched.size === 0) return false
    return this.#watched.keys().some((said) => {
      const plain = said.replace(/^\//, '')
      return plain === name || (plain.length > 3 && id.startsWith(plain))
    })
  }

  #look(facts: EngineFacts): Promise<void> {
    this.#loading ??= this.#read(facts).finally(() => {
      this.#loading = undefined
      this.#loadedFor = facts
      this.#nextLook = performance.now() + this.#settings.pauseMs
    })
    return this.#loading
  }

  /** An engine that does not answer leaves what is known: a call is not held up for the sake of ids. */
  async #read(facts: EngineFacts): Promise<void> {
    const asked = performance.now()
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), this.#settings.patienceMs)
    const found = await Promise.race([this.#replacements(facts).catch(() => undefined), late.promise])
    clearTimeout(timer)
    if (found !== undefined) this.#table.reset(found, asked)
  }

  async #replacements(facts: EngineFacts): Promise<{ client: string; engine: string }[] | undefined> {
    const filters = new URLSearchParams({ filters: JSON.stringify({ label: [REPLACES] }) })
    const containers = objects((await this.#ask(facts, `/containers/json?all=1&${filters}`)).body)
    const images = objects((await this.#ask(facts, `/images/json?${filters}`)).body)
    this.#labelledImages = images.length > 0
    const found: { client: string; engine: string; created: number }[] = []
    for (const container of containers) {
      const client = labelOf(container)
      const engine = container['Id']
      if (typeof engine !== 'string' || client === undefined || !isFullId(client)) continue
      // A commit made past the bridge takes the label along: what was run from its image replaces nothing.
      if (images.some((image) => image['Id'] === container['ImageID'] && labelOf(image) === client)) continue
      found.push({ client, engine, created: Number(container['Created']) })
    }
    const taken = await this.#inUse(facts, new Set(found.map(({ client }) => client)))
    return found.filter(({ client }) => !taken.has(client)).sort((a, b) => a.created - b.created)
  }

  /** Ids of containers that are still there under a name of their own: a label, which anybody can set, gives none away. */
  async #inUse(facts: EngineFacts, ids: ReadonlySet<string>): Promise<ReadonlySet<unknown>> {
    if (ids.size === 0) return ids
    const filters = new URLSearchParams({ filters: JSON.stringify({ id: [...ids] }) })
    const present = objects((await this.#ask(facts, `/containers/json?all=1&${filters}`)).body)
    const names = (container: JsonObject): string[] =>
      Array.isArray(container['Names']) ? container['Names'].map(String) : []
    return new Set(present.filter((one) => !names(one).some(isSetAside)).map((one) => one['Id']))
  }
}

const objects = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

function labelOf(object: JsonObject): string | undefined {
  const labels = object['Labels']
  const value = isObject(labels) ? labels[REPLACES] : undefined
  return typeof value === 'string' ? value : undefined
}
