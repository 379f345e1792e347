import { ProxyError } from '../../api/errors.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { within } from '../../config/within.ts'

export interface Container {
  readonly id: string
  readonly name: string
}

export interface Claim {
  /** Whether a client of another process is attached to it, waits for it or follows it. */
  readonly watched: boolean
  release(): void
}

/** The other worker processes of this bridge (src/proxy/workers). */
export interface Peers {
  /** Resolves when no other process works on the container. All processes hold calls for it until `release`. */
  claim(container: Container): Promise<Claim>
  replaced(clientId: string, engineId: string): void
  forgotten(engineId: string): void
}

/** A container that is being replaced. */
interface Busy extends Container {
  readonly done: Promise<void>
  /** By a client of another process. */
  watched: boolean
}

/** Containers that one start replaces while other calls for them wait, and the clients that watch them. */
export class ExclusiveWork {
  readonly #peers: Peers | undefined
  readonly #waitMs: number
  readonly #here = new Map<string, Busy>()
  /** Containers claimed by other processes, by token. */
  readonly #elsewhere = new Map<number, Busy & { readonly free: () => void }>()
  readonly #watched = new Map<string, number>()
  #begun = false

  /** `waitMs`: how long a call waits for a container that is being replaced. */
  constructor(peers: Peers | undefined, waitMs: number) {
    this.#peers = peers
    this.#waitMs = waitMs
  }

  /** Whether any container has been replaced. */
  get begun(): boolean {
    return this.#begun
  }

  isBusyHere = (of: (container: Container) => boolean): boolean => this.#here.values().some(of)

  /** Holds calls for a container that another process replaces. */
  hold(token: number, container: Container): void {
    this.#begun = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#elsewhere.set(token, { ...container, done: promise, watched: false, free: resolve })
  }

  free(token: number): void {
    this.#elsewhere.get(token)?.free()
    this.#elsewhere.delete(token)
  }

  /** Runs `work` exclusively for a container; calls for it wait (`settled`). */
  async alone<T>(container: Container, work: () => Promise<T>): Promise<T> {
    for (let other = this.#here.get(container.id); other !== undefined; other = this.#here.get(container.id))
      await this.#done(other)
    this.#begun = true
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Busy = { ...container, done: promise, watched: false }
    this.#here.set(container.id, busy)
    let claim: Claim | undefined
    try {
      claim = await this.#claim(busy)
      busy.watched = claim?.watched === true
      return await work()
    } finally {
      claim?.release()
      this.#here.delete(container.id)
      resolve()
    }
  }

  async #claim(busy: Busy): Promise<Claim | undefined> {
    const claiming = this.#peers?.claim({ id: busy.id, name: busy.name })
    if (claiming === undefined) return undefined
    return within(this.#waitMs, claiming, () => {
      void claiming.then((claim) => claim.release())
      throw tooLong(busy)
    })
  }

  /** What a call for this container, or for all of them, has to wait for. */
  settled(said?: string): Promise<unknown> | undefined {
    if (this.#here.size === 0 && this.#elsewhere.size === 0) return undefined
    const name = said?.replace(/^\//, '')
    const concerned = this.#all.filter(
      (one) => name === undefined || one.name === name || (name !== '' && one.id.startsWith(name)),
    )
    return concerned.length === 0 ? undefined : Promise.all(concerned.map((one) => this.#done(one)))
  }

  get #all(): readonly Busy[] {
    return [...this.#here.values(), ...this.#elsewhere.values()]
  }

  #done(busy: Busy): Promise<void> {
    return within(this.#waitMs, busy.done, () => {
      throw tooLong(busy)
    })
  }

  isMaking = (name: JsonValue | undefined, clientId: JsonValue | undefined): boolean =>
    this.#all.some((one) => one.name === name && one.id === clientId)

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
    if (this.#here.values().some((busy) => busy.watched && busy.name === name)) return true
    return this.#watched.keys().some((said) => {
      const plain = said.replace(/^\//, '')
      return plain === name || (plain.length > 3 && id.startsWith(plain))
    })
  }
}

const tooLong = ({ name }: Container): ProxyError =>
  new ProxyError('conflict', `container ${name} is being recreated by another start; try again`)
