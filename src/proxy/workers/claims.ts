import type { Container, Peers } from '../../engine/replaced/exclusive.ts'
import type { PrimaryCalls, WorkerCalls } from './calls.ts'
import type { Link } from './link.ts'
import type { Member } from './worker-pool.ts'

interface Claim {
  readonly owner: Member
  readonly container: Container
  readonly over: PromiseWithResolvers<void>
  begun: boolean
}

/**
 * Coordinates which worker works on which container: one at a time, and only after all others have confirmed that they
 * hold calls for it. When a worker ends, its claims are released.
 */
export class Claims {
  readonly #workers: () => readonly Member[]
  readonly #claims = new Map<number, Claim>()
  #token = 0

  constructor(workers: () => readonly Member[]) {
    this.#workers = workers
  }

  async claim(owner: Member, container: Container): ReturnType<PrimaryCalls['claim']> {
    const earlier = [...this.#claims.values()].filter((one) => one.container.id === container.id)
    const claim = { owner, container, over: Promise.withResolvers<void>(), begun: false }
    const token = ++this.#token
    this.#claims.set(token, claim)
    await Promise.all(earlier.map(({ over }) => over.promise))
    if (!this.#claims.has(token)) throw new Error('the worker has ended')
    claim.begun = true
    const held = this.#others(owner).map((worker) => hold(worker, token, container))
    return { token, watched: (await Promise.all(held)).includes(true) }
  }

  release(token: number): void {
    const claim = this.#claims.get(token)
    if (claim === undefined) return
    this.#claims.delete(token)
    if (claim.begun) for (const { link } of this.#others(claim.owner)) link.tell('free', [token])
    claim.over.resolve()
  }

  left(worker: Member): void {
    for (const [token, { owner }] of this.#claims) if (owner === worker) this.release(token)
  }

  /** Tells a new worker about existing claims, without waiting for its confirmation. */
  joined(worker: Member): void {
    for (const [token, { begun, container }] of this.#claims) if (begun) void hold(worker, token, container)
  }

  #others = (owner: Member): Member[] => this.#workers().filter((worker) => worker !== owner)
}

/** A worker that has ended holds nothing up. */
const hold = ({ link }: Member, token: number, container: Container): Promise<boolean> =>
  link.call('hold', [token, container]).catch(() => false)

/** A worker's access to the other workers. */
export const peersThrough = (primary: Link<PrimaryCalls, WorkerCalls>): Peers => ({
  claim: async ({ id, name }) => {
    const { token, watched } = await primary.call('claim', [{ id, name }])
    return { watched, release: () => primary.tell('release', [token]) }
  },
  replaced: (client, engine) => primary.tell('replaced', [client, engine]),
  forgotten: (engine) => primary.tell('forgotten', [engine]),
})
