import type { Container } from '../../engine/replaced/exclusive.ts'

/** Messages to a worker; those to a worker that has ended are lost. */
interface Tell<W> {
  /** Resolves when the worker holds calls for the container, or has ended: whether one of its clients watches it. */
  busy(worker: W, token: number, container: Container): Promise<boolean>
  idle(worker: W, token: number): void
  claimed(worker: W, claim: number, watched: boolean): void
}

interface Claimed<W> {
  readonly owner: W
  /** The owner's number for the claim. */
  readonly claim: number
  readonly container: Container
  readonly token: number
  begun: boolean
}

/**
 * Coordinates which worker works on which container: one at a time, and only after all others have confirmed that they
 * hold calls for it. When a worker ends, its claims are released.
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
    this.#claims.push({ owner, claim, container, token: ++this.#token, begun: false })
    this.#next()
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
  }

  /** Tells a new worker about existing claims, without waiting for its confirmation. */
  joined(worker: W): void {
    for (const { begun, token, container } of this.#claims) if (begun) void this.#tell.busy(worker, token, container)
  }

  #others = (owner: W): W[] => [...this.#workers()].filter((worker) => worker !== owner)

  #next(): void {
    const taken = new Set<string>()
    for (const one of this.#claims) {
      const free = !taken.has(one.container.id)
      taken.add(one.container.id)
      if (!one.begun && free) void this.#begin(one)
    }
  }

  async #begin(one: Claimed<W>): Promise<void> {
    one.begun = true
    const held = this.#others(one.owner).map((worker) => this.#tell.busy(worker, one.token, one.container))
    const watched = (await Promise.all(held)).includes(true)
    if (this.#claims.includes(one)) this.#tell.claimed(one.owner, one.claim, watched)
  }
}
