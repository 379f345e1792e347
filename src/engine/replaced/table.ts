import { isFullId, shortId } from '../../translate/replaced/label.ts'

/** How long ids of a removed container stay known, for its last events. */
const REMEMBERED_MS = 60_000
/** Shorter prefixes are ambiguous without the engine. */
const CLEAR_PREFIX = /^[0-9a-f]{12,63}$/

interface Replacement {
  /** The id returned by create. */
  readonly client: string
  readonly engine: string
  readonly since: number
  goneSince: number | undefined
}

/** Maps ids between clients and engine. */
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

  /** The container was removed. Its ids stay known for its last events. */
  forget(engine: string): void {
    const gone = this.#byEngine.get(engine)
    if (gone !== undefined) gone.goneSince ??= this.#now()
  }

  /** The client's own container has its place again. The other's id stays known, for its last events. */
  restored(client: string): void {
    const replacement = this.#byClient.get(client)
    if (replacement === undefined) return
    replacement.goneSince ??= this.#now()
    this.#byClient.delete(client)
  }

  /** Takes over the engine's state, except for newer entries. */
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

  /** Drops expired entries. */
  sweep(): void {
    const until = this.#now() - REMEMBERED_MS
    for (const one of this.#byEngine.values()) {
      if (one.goneSince === undefined || one.goneSince > until) continue
      this.#byEngine.delete(one.engine)
      if (this.#byClient.get(one.client) === one) this.#byClient.delete(one.client)
    }
  }

  /** Maps a client's full id, or a prefix of at least 12 digits; returns anything else unchanged. */
  toEngine(said: string): string {
    const exact = this.#byClient.get(said)
    if (exact !== undefined) return exact.engine
    return (CLEAR_PREFIX.test(said) ? this.#only(said) : undefined) ?? said
  }

  /** The only container here that a shorter prefix can mean. */
  guess(said: string): string | undefined {
    return /^[0-9a-f]{1,11}$/.test(said) ? this.#only(said) : undefined
  }

  #only(prefix: string): string | undefined {
    const [one, another] = this.#byClient.values().filter(({ client }) => client.startsWith(prefix))
    return another === undefined ? one?.engine : undefined
  }

  /** Maps an engine's full or 12-digit id; returns anything else unchanged. */
  toClient(id: string): string {
    if (this.#byEngine.size === 0) return id
    if (isFullId(id)) return this.#byEngine.get(id)?.client ?? id
    if (id.length !== 12) return id
    for (const { engine, client } of this.#byEngine.values()) if (shortId(engine) === id) return shortId(client)
    return id
  }
}
