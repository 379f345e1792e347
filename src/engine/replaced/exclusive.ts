import { ProxyError } from '../../api/errors.ts'
import type { JsonValue } from '../../api/json/json.ts'
import { within } from '../../config/within.ts'
import { SET_ASIDE } from '../../translate/replaced/label.ts'

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
  readonly free: () => void
  /** Identifies the claim of another process. */
  readonly token: number | undefined
  /** A client of another process watches the container. */
  watched: boolean
}

/** Containers that one start replaces while other calls for them wait, and the clients that watch them. */
export class ExclusiveWork {
  readonly #peers: Peers | undefined
  readonly #waitMs: number
  readonly #busy = new Set<Busy>()
  readonly #watched = new Set<{ readonly said: string }>()
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

  /** The work of this process on such a container. */
  ownWork = (of: (container: Container) => boolean): Busy | undefined =>
    this.#busy.values().find((busy) => busy.token === undefined && of(busy))

  free(token: number): void {
    for (const busy of this.#busy) if (busy.token === token) busy.free()
  }

  /** Holds calls for a container; with a token, for one that another process replaces. */
  hold({ id, name }: Container, token?: number): Busy {
    this.#begun = true
    const { promise, resolve } = Promise.withResolvers<void>()
    const free = (): void => {
      this.#busy.delete(busy)
      resolve()
    }
    const busy: Busy = { id, name, done: promise, free, token, watched: false }
    this.#busy.add(busy)
    return busy
  }

  /** Runs `work` exclusively for a container; calls for it wait (`whenFree`). */
  async runExclusively<T>(container: Container, work: () => Promise<T>): Promise<T> {
    const other = (): Busy | undefined => this.ownWork(({ id }) => id === container.id)
    for (let busy = other(); busy !== undefined; busy = other()) await this.#done(busy)
    const busy = this.hold(container)
    let claim: Claim | undefined
    try {
      claim = await this.#claim(container)
      busy.watched = claim?.watched === true
      return await work()
    } finally {
      claim?.release()
      busy.free()
    }
  }

  async #claim(container: Container): Promise<Claim | undefined> {
    const claiming = this.#peers?.claim(container)
    if (claiming === undefined) return undefined
    return within(this.#waitMs, claiming, () => {
      claiming.then(
        (claim) => claim.release(),
        () => undefined, // the primary process refused it: nothing to release
      )
      throw tooLong(container)
    })
  }

  /** The work that a call for this container, for one set aside, or for all of them, waits for. */
  whenFree(said?: string): Promise<unknown> | undefined {
    if (this.#busy.size === 0) return undefined
    const name = said?.replace(/^\//, '')
    const concerned = [...this.#busy].filter(
      (one) =>
        name === undefined ||
        one.name === name ||
        name.startsWith(SET_ASIDE) ||
        (name !== '' && one.id.startsWith(name)),
    )
    return concerned.length === 0 ? undefined : Promise.all(concerned.map((one) => this.#done(one)))
  }

  #done(busy: Busy): Promise<void> {
    return within(this.#waitMs, busy.done, () => {
      throw tooLong(busy)
    })
  }

  isMaking = (name: JsonValue | undefined, clientId: JsonValue | undefined): boolean =>
    this.#busy.values().some((one) => one.name === name && one.id === clientId)

  /** Registers a client that is attached to the container, waits for it or follows it, until the result is called. */
  watch(said: string): () => void {
    const watcher = { said: said.replace(/^\//, '') }
    this.#watched.add(watcher)
    return () => void this.#watched.delete(watcher)
  }

  isWatched({ ids, name }: { readonly ids: readonly string[]; readonly name: string }): boolean {
    if (this.#busy.values().some((busy) => busy.watched && busy.name === name)) return true
    return this.#watched
      .values()
      .some(({ said }) => said === name || (said.length > 3 && ids.some((id) => id.startsWith(said))))
  }
}

const tooLong = ({ name }: Container): ProxyError =>
  new ProxyError('conflict', `container ${name} is being recreated by another start; try again`)
