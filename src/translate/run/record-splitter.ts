import { ProxyError } from '../../api/errors.ts'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../api/json/characters.ts'
import { ByteCollector } from '../../http/byte-collector.ts'

/**
 * Splits a byte stream into JSON objects, with or without separators between them (engine 1.6 writes `}{`, later ones a
 * newline, json-seq 0x1E before each). Works on bytes, so a character split across two chunks stays intact; in UTF-8,
 * multi-byte characters contain no bracket or quote.
 */
export class RecordSplitter {
  readonly #limit: number
  #pending = new ByteCollector()
  #depth = 0
  #inText = false
  /** The first byte of the next chunk follows a backslash. */
  #escaped = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The records that this chunk completes, each as the bytes of one object. */
  push(chunk: Buffer): Buffer[] {
    const records: Buffer[] = []
    let depth = this.#depth
    let start = depth > 0 ? 0 : -1
    const first = this.#inText ? this.#textEnd(chunk, this.#escaped ? 1 : 0) + 1 : 0
    for (let i = first; i < chunk.length; i++) {
      switch (chunk[i]) {
        case QUOTE:
          if (depth > 0) i = this.#textEnd(chunk, i + 1)
          break
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (depth++ === 0) start = i
          break
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          if (depth === 0 || --depth > 0) break
          records.push(this.#take(chunk.subarray(start, i + 1)))
          start = -1
          break
        default:
      }
    }
    this.#depth = depth
    if (depth > 0) this.#keep(chunk.subarray(start))
    return records
  }

  /** Bytes of the incomplete record. */
  get waiting(): number {
    return this.#pending.size
  }

  /** Remaining bytes at the end of the stream: an incomplete record, or nothing. */
  rest(): Buffer {
    return this.#take(Buffer.alloc(0))
  }

  /** Index of the closing quote; the chunk's length if the string continues in the next chunk. */
  #textEnd(chunk: Buffer, from: number): number {
    let i = from
    while (i < chunk.length && chunk[i] !== QUOTE) i += chunk[i] === BACKSLASH ? 2 : 1
    this.#inText = i >= chunk.length
    this.#escaped = i > chunk.length
    return i
  }

  #keep(part: Buffer): void {
    this.#pending.add(part, true) // the chunk is only valid during the call
    if (this.#pending.size > this.#limit)
      throw new ProxyError('engine-broke-off', `a record is larger than ${this.#limit} bytes`)
  }

  #take(part: Buffer): Buffer {
    if (this.#pending.size === 0) return part
    this.#pending.add(part, true)
    const whole = this.#pending.whole()
    this.#pending = new ByteCollector()
    return whole
  }
}
