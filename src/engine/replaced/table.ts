import { isFullId, shortId } from '../../translate/replaced/label.ts'

/** How long the ids of a removed container are still known, for the records of its end. */
const REMEMBERED_MS = 60_000
/** Shorter beginnings of ids are the engine's to judge: it knows its other containers. */
const CLEAR_PREFIX = /^[0-9a-f]{12,63}$/

interface Replacement {
  /** The id that create gave, the only one that clients know. */
  readonly client: string
  readonly engine: string
  readonly since: number
  goneSince: number | undefined
}

/** Which container stands for which id. */
export class IdTable {
  readonly #byEngine = new Map<string, Replacement>()
  readonly #byClient = new Map<string, Replacement>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get size(): number {
    return this.#byEngine.size
  }

  add(client: string, engine: string): void {
    const replacement = { client, engine, since: this.#now(), goneSince: undefined }
    const before = this.#byClient.get(client)
    if (before !== undefined && before.engine !== engine) before.goneSince ??= this.#now()
    this.#byEngine.set(engine, replacement)
    this.#byClient.set(client, replacement)
  }

  /** The container has been removed. Its ids stay known for a while: the records of its end are still to come. */
  forget(engine: string): void {
    const gone = this.#byEngine.get(engine)
    if (gone !== undefined) gone.goneSince ??= this.#now()
  }

  /** What the engine has now. Younger entries stay: they may be newer than its answer. */
  reset(found: readonly { client: string; engine: string }[], asked: number): void {
    const present = new Set(found.map(({ engine }) => engine))
    for (const one of this.#byEngine.values()) {
      if (!present.has(one.engine) && one.since < asked) one.goneSince ??= this.#now()
    }
    for (const { client, engine } of found) {
      const known = this.#byClient.get(client)
      if (known === undefined || (known.engine !== engine && known.since < asked)) this.add(client, engine)
    }
    this.sweep()
  }

  /** Lets go of what has been gone for long enough. */
  sweep(): void {
    const until = this.#now() - REMEMBERED_MS
    for (const one of this.#byEngine.values()) {
      if (one.goneSince === undefined || one.goneSince > until) continue
      this.#byEngine.delete(one.engine)
      if (this.#byClient.get(one.client) === one) this.#byClient.delete(one.client)
    }
  }

  /** The engine's name for what a client says: an id, twelve or more digits of it, or something else, as it is. */
  toEngine(said: string): string {
    const exact = this.#byClient.get(said)
    if (exact !== undefined) return exact.engine
    if (!CLEAR_PREFIX.test(said)) return said
    const meant = [...this.#byClient.values()].filter(({ client }) => client.startsWith(said))
    return meant.length === 1 && meant[0] !== undefined ? meant[0].engine : said
  }

  /** The container that a shorter beginning of an id can only mean here. */
  guess(said: string): string | undefined {
    if (!/^[0-9a-f]{1,11}$/.test(said)) return undefined
    const meant = [...this.#byClient.values()].filter(({ client }) => client.startsWith(said))
    return meant.length === 1 ? meant[0]?.engine : undefined
  }

  /** The id that the client knows, whole or its twelve digits; anything else as it is. */
  toClient(id: string): string {
    if (this.#byEngine.size === 0) return id
    if (isFullId(id)) return this.#byEngine.get(id)?.client ?? id
    if (id.length !== 12) return id
    for (const { engine, client } of this.#byEngine.values()) if (shortId(engine) === id) return shortId(client)
    return id
  }
}
