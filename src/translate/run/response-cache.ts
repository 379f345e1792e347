import type { EngineFacts } from '../../api/engine-facts.ts'
import type { AnyPlan } from '../compile.ts'
import type { TranslatedList } from './list.ts'

/** What an answer depends on, beside its own bytes. */
export interface ResponseKey {
  readonly plan: AnyPlan
  readonly engine: EngineFacts
  /** Path and query as the client sent them. */
  readonly url: string
}

/** What came, and what was made of it; `spans` where it is a list that was translated element by element. */
export type Translation = Pick<TranslatedList, 'came' | 'written'> & Partial<Pick<TranslatedList, 'spans'>>

type Kept = ResponseKey & Translation

/** One answer must not push out all others. */
const LARGEST_SHARE = 4

/**
 * The last answers that were translated. Who looks after containers asks for the same lists and inspects every few
 * seconds and mostly gets the same bytes: the same bytes through the same plan are the same translation, so comparing
 * them (memcmp) does. Of a list that differs, the elements that are the same are taken over (list.ts). The engine is
 * asked every time; nothing is ever answered from here that it did not just say.
 */
export class ResponseCache {
  readonly #limit: number
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** `limit`: what may be held in all, in bytes; 0 remembers nothing. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The translation of these very bytes, if it is remembered. */
  find(key: ResponseKey, came: Buffer): Buffer | undefined {
    const kept = this.#last(key)
    if (kept === undefined || !kept.came.equals(came)) return undefined
    this.#kept.delete(key.url)
    this.#kept.set(key.url, kept)
    return kept.written
  }

  /** The list that was the answer the last time. */
  lastList(key: ResponseKey): TranslatedList | undefined {
    const kept = this.#last(key)
    return kept?.spans === undefined ? undefined : { came: kept.came, written: kept.written, spans: kept.spans }
  }

  #last(key: ResponseKey): Kept | undefined {
    const kept = this.#kept.get(key.url)
    return kept === undefined || kept.plan !== key.plan || kept.engine !== key.engine ? undefined : kept
  }

  keep({ plan, engine, url }: ResponseKey, translation: Translation): void {
    this.#forget(url)
    const { came, written } = translation
    const own = alone(came)
    const kept: Kept = {
      plan,
      engine,
      url,
      ...translation,
      came: own,
      written: written === came ? own : alone(written),
    }
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

/** What lies in memory that it shares with others (small buffers do, in Node's pool of 64 KB) would hold all of that. */
function alone(bytes: Buffer): Buffer {
  if (bytes.length * 2 >= bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** In bytes; a text takes up to two for a character. */
const weight = ({ url, came, written, spans }: Kept): number =>
  2 * url.length + came.buffer.byteLength + written.buffer.byteLength + (spans?.byteLength ?? 0)
