interface Container {
  readonly id: string
  readonly name: string
}

/** Sends to a worker; messages to a worker that has ended are lost. */
interface Tell<W> {
  busy(worker: W, token: number, container: Container): void
  idle(worker: W, token: number): void
  claimed(worker: W, claim: number, watched: boolean): void
}

interface Claimed<W> {
  readonly owner: W
  /** The owner's number for the claim. */
  readonly claim: number
  readonly container: Container
  readonly token: number
  /** Workers that have not yet confirmed that they hold calls for the container. */
  readonly asked: Set<W>
  begun: boolean
  watched: boolean
}

/**
 * Coordinates which worker works on which container: one at a time, and only after all others have confirmed that they
 * hold calls for it. When a worker ends, its claims are released and its confirmations no longer awaited.
 */
export class Claims<W> {
  readonly #tell: Tell<W>
  readonly #workers: () => Iterable<W>
  #claims: Claimed<W>[] = []
  #token = 0

  constructor(workers: () => Iterable<W>, tell: Tell<W>) {
    this.#workers = workers
    this.#tell = tell
  }

  claim(owner: W, claim: number, container: Container): void {
    const token = ++this.#token
    this.#claims.push({ owner, claim, container, token, asked: new Set(), begun: false, watched: false })
    this.#next()
  }

  held(worker: W, token: number, watched: boolean): void {
    const claimed = this.#claims.find((one) => one.token === token)
    if (claimed === undefined || !claimed.asked.delete(worker)) return
    claimed.watched ||= watched
    this.#give(claimed)
  }

  released(owner: W, claim: number): void {
    const claimed = this.#claims.find((one) => one.owner === owner && one.claim === claim)
    if (claimed === undefined) return
    this.#claims = this.#claims.filter((one) => one !== claimed)
    if (claimed.begun) for (const worker of this.#others(owner)) this.#tell.idle(worker, claimed.token)
    this.#next()
  }

  left(worker: W): void {
    for (const one of this.#claims.filter(({ owner }) => owner === worker)) this.released(worker, one.claim)
    for (const one of this.#claims) if (one.asked.delete(worker)) this.#give(one)
  }

  /** Tells a new worker about existing claims, without waiting for its confirmation. */
  joined(worker: W): void {
    for (const { begun, token, container } of this.#claims) if (begun) this.#tell.busy(worker, token, container)
  }

  #others = (owner: W): W[] => [...this.#workers()].filter((worker) => worker !== owner)

  #next(): void {
    const taken = new Set<string>()
    for (const one of this.#claims) {
      const free = !taken.has(one.container.id)
      taken.add(one.container.id)
      if (one.begun || !free) continue
      one.begun = true
      for (const worker of this.#others(one.owner)) one.asked.add(worker)
      for (const worker of one.asked) this.#tell.busy(worker, one.token, one.container)
      this.#give(one)
    }
  }

  #give(one: Claimed<W>): void {
    if (one.begun && one.asked.size === 0) this.#tell.claimed(one.owner, one.claim, one.watched)
  }
}
