import { isFullId, shortId } from '../../translate/replaced/label.ts'
import type { Replacement } from './store.ts'

/** How long the id of a removed container stays known, for its last events. */
const REMEMBERED_MS = 60_000
/** Shorter prefixes are ambiguous without the engine. */
const CLEAR_PREFIX = /^[0-9a-f]{12,63}$/

/** Maps ids between clients and engine. */
export class IdTable {
  readonly #byEngine = new Map<string, Replacement>()
  /** By the first twelve digits of the engine's id. */
  readonly #byShort = new Map<string, Replacement>()
  readonly #byClient = new Map<string, Replacement>()

  get size(): number {
    return this.#byEngine.size
  }

  add(client: string, engine: string): void {
    const before = this.#byClient.get(client)?.engine
    if (before === engine) return
    if (before !== undefined) this.forget(before)
    const replacement = { client, engine }
    this.#byEngine.set(engine, replacement)
    this.#byShort.set(shortId(engine), replacement)
    this.#byClient.set(client, replacement)
  }

  /** The container was removed, or no longer replaces the client's. Returns the client's id if that was not known. */
  forget(engine: string): string | undefined {
    const gone = this.#byEngine.get(engine)
    if (gone === undefined || this.#byClient.get(gone.client) !== gone) return undefined
    this.#byClient.delete(gone.client)
    const drop = (): void => {
      if (this.#byEngine.get(engine) === gone) this.#byEngine.delete(engine)
      if (this.#byShort.get(shortId(engine)) === gone) this.#byShort.delete(shortId(engine))
    }
    setTimeout(drop, REMEMBERED_MS).unref()
    return gone.client
  }

  /** Takes over the engine's state. */
  reset(found: readonly Replacement[]): void {
    const present = new Set(found.map(({ engine }) => engine))
    for (const engine of this.#byEngine.keys()) if (!present.has(engine)) this.forget(engine)
    for (const { client, engine } of found) this.add(client, engine)
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
    const known = this.#byShort.get(id)
    return known === undefined ? id : shortId(known.client)
  }
}
