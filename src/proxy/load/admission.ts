import { ProxyError } from '../../api/errors.ts'
import { Recent } from '../../api/recent.ts'
import type { Config } from '../settings/settings.ts'

/** Limits on calls; undefined: unlimited. `rate` is also the size of a burst. */
type AdmissionLimits = Pick<Config, 'max-calls' | 'rate'>

/** Number of peers remembered; a peer that is evicted starts over. */
const MAX_PEERS = 10_000

interface Bucket {
  left: number
  filled: number
}

/** Keeps many peers, or one busy peer, from starving the others. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #buckets = new Recent<string, Bucket>(MAX_PEERS)

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Throws a ProxyError if a limit is reached. `open`: concurrent calls, this one included. `now`: milliseconds. */
  admit(open: number, peer: string, now = performance.now()): void {
    const { 'max-calls': calls, rate } = this.#limits
    if (calls !== undefined && open > calls)
      throw new ProxyError('busy', `${calls} calls are under way, which is the limit (--max-calls); try again`)
    if (rate !== undefined && !this.#take(peer, rate, now))
      throw new ProxyError('too-many-requests', `more than ${rate} calls in a second (--rate); try again`)
  }

  /** A token bucket: one token per call, refilled with `rate` tokens per second, `rate` at most. */
  #take(peer: string, rate: number, now: number): boolean {
    const known = this.#buckets.get(peer)
    const bucket = known ?? { left: rate, filled: now }
    bucket.left = Math.min(rate, bucket.left + ((now - bucket.filled) * rate) / 1000)
    bucket.filled = now
    if (known === undefined) this.#buckets.set(peer, bucket)
    if (bucket.left < 1) return false
    bucket.left--
    return true
  }
}
