import { BoundedMap } from '../../api/bounded-map.ts'
import { ProxyError } from '../../api/errors.ts'
import type { Config } from '../settings/settings.ts'

/** Number of peers remembered; a peer that is evicted starts over. */
const MAX_PEERS = 10_000

interface Bucket {
  left: number
  filled: number
}

/** Throws a ProxyError if a limit is reached. `open`: concurrent calls, this one and unread responses included. `now`: milliseconds. */
type Admit = (open: number, peer: string, now?: number) => void

/** Keeps many peers, or one busy peer, from starving the others. Undefined: unlimited; `rate` is also the size of a burst. */
export function admission({ 'max-calls': calls, rate }: Pick<Config, 'max-calls' | 'rate'>): Admit {
  const buckets = new BoundedMap<string, Bucket>(MAX_PEERS)
  return (open, peer, now = performance.now()) => {
    if (calls !== undefined && open > calls)
      throw new ProxyError('busy', `${calls} calls are under way, which is the limit (--max-calls); try again`)
    if (rate !== undefined && !takes(buckets, peer, rate, now))
      throw new ProxyError('too-many-requests', `more than ${rate} calls in a second (--rate); try again`)
  }
}

/** A token bucket: one token per call, refilled with `rate` tokens per second, `rate` at most. */
function takes(buckets: BoundedMap<string, Bucket>, peer: string, rate: number, now: number): boolean {
  const known = buckets.get(peer)
  const bucket = known ?? { left: rate, filled: now }
  bucket.left = Math.min(rate, bucket.left + ((now - bucket.filled) * rate) / 1000)
  bucket.filled = now
  if (known === undefined) buckets.set(peer, bucket)
  if (bucket.left < 1) return false
  bucket.left--
  return true
}
