import type { EngineFacts } from '../../api/engine-facts.ts'
import type { AnyPlan } from '../plans.ts'

/** Inputs of a translation besides the response's bytes. */
export interface ResponseKey {
  readonly plan: AnyPlan
  readonly engine: EngineFacts
  /** Path and query as sent by the client. */
  readonly url: string
}

/** A response as received and as translated. */
interface Translation {
  readonly received: Buffer
  readonly written: Buffer
}

type Kept = ResponseKey & Translation

/** Limits a single response to this fraction of the cache. */
const LARGEST_SHARE = 4

/**
 * Cache of translations. Monitoring clients request the same lists and inspects every few seconds and usually get the
 * same bytes, which the same plan translates to the same result, so a comparison (memcmp) is enough. The engine
 * receives every request; only the translation is cached.
 */
export class ResponseCache {
  readonly #limit: number
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** `limit`: total size in bytes; 0 disables the cache. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The cached translation of exactly these bytes, if any. */
  find(key: ResponseKey, received: Buffer): Buffer | undefined {
    const kept = this.#kept.get(key.url)
    if (kept === undefined || kept.plan !== key.plan || kept.engine !== key.engine) return undefined
    if (!kept.received.equals(received)) return undefined
    this.#kept.delete(key.url)
    this.#kept.set(key.url, kept)
    return kept.written
  }

  keep({ plan, engine, url }: ResponseKey, { received, written }: Translation): void {
    this.#forget(url)
    const copy = unshared(received)
    const kept: Kept = { plan, engine, url, received: copy, written: written === received ? copy : unshared(written) }
    if (weight(kept) * LARGEST_SHARE > this.#limit) return
    this.#kept.set(url, kept)
    this.#bytes += weight(kept)
    for (const url of this.#kept.keys()) {
      if (this.#bytes <= this.#limit) return
      this.#forget(url)
    }
  }

  #forget(url: string): void {
    const kept = this.#kept.get(url)
    if (kept === undefined) return
    this.#bytes -= weight(kept)
    this.#kept.delete(url)
  }
}

/** Copies buffers that share memory with others: a small one would keep all of Node's 64 KB pool alive. */
function unshared(bytes: Buffer): Buffer {
  if (bytes.length * 2 >= bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** In bytes; a string takes up to two per character. */
const weight = ({ url, received, written }: Kept): number =>
  2 * url.length + received.buffer.byteLength + written.buffer.byteLength
