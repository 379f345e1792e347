import { ProxyError } from '../../api/errors.ts'

/** How many calls are let in; undefined: as many as come. */
export interface AdmissionLimits {
  /** At the same time, streams and tunnels included. */
  readonly calls: number | undefined
  /** Of one peer in a second; as many may come at once. */
  readonly rate: number | undefined
}

/** How many peers are remembered. Who comes after that many others begins anew. */
const MOST_PEERS = 10_000

interface Bucket {
  left: number
  filled: number
}

/** Keeps a crowd, or one busy peer, from taking the engine from all others. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #buckets = new Map<string, Bucket>()

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Throws the refusal. `open`: calls under way, this one included. `now`: milliseconds. */
  admit(open: number, peer: string, now = performance.now()): void {
    const { calls, rate } = this.#limits
    if (calls !== undefined && open > calls)
      throw new ProxyError('busy', `${calls} calls are under way, which is the limit (--max-calls); try again`)
    if (rate !== undefined && !this.#take(peer, rate, now))
      throw new ProxyError('too-many-requests', `more than ${rate} calls in a second (--rate); try again`)
  }

  /** A token bucket: one token a call, `rate` new ones in a second, never more than that many. */
  #take(peer: string, rate: number, now: number): boolean {
    const known = this.#buckets.get(peer)
    const bucket = known ?? { left: rate, filled: now }
    bucket.left = Math.min(rate, bucket.left + ((now - bucket.filled) * rate) / 1000)
    bucket.filled = now
    if (known === undefined) this.#remember(peer, bucket)
    if (bucket.left < 1) return false
    bucket.left--
    return true
  }

  #remember(peer: string, bucket: Bucket): void {
    this.#buckets.set(peer, bucket)
    if (this.#buckets.size <= MOST_PEERS) return
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest)
      return
    }
  }
}
