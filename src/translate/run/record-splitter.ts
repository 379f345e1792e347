import { ProxyError } from '../../api/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/**
 * Splits a byte stream into the JSON objects written one after the other in it, with or without anything between them
 * (engine 1.6 writes `}{`, later ones a newline, json-seq 0x1E before each). Works on bytes, so a character cut in two
 * by a chunk border stays whole; in UTF-8 no byte of a longer character looks like a bracket or a quote.
 */
export class RecordSplitter {
  readonly #limit: number
  #pending: Buffer[] = []
  #pendingSize = 0
  #depth = 0
  #inText = false
  /** Whether the first byte of the next chunk stands behind a backslash. */
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

  /** How many bytes wait for the end of their record. */
  get waiting(): number {
    return this.#pendingSize
  }

  /** What is left when the stream ends: an unfinished record, or nothing. */
  rest(): Buffer {
    return this.#take(Buffer.alloc(0))
  }

  /** Where the quote stands that ends the text; past the chunk when it goes on in the next one. */
  #textEnd(chunk: Buffer, from: number): number {
    let i = from
    while (i < chunk.length && chunk[i] !== QUOTE) i += chunk[i] === BACKSLASH ? 2 : 1
    this.#inText = i >= chunk.length
    this.#escaped = i > chunk.length
    return i
  }

  #keep(part: Buffer): void {
    this.#pendingSize += part.length
    if (this.#pendingSize > this.#limit)
      throw new ProxyError('engine-broke-off', `a record is larger than ${this.#limit} bytes`)
    this.#pending.push(Buffer.from(part)) // the chunk is lent
  }

  #take(part: Buffer): Buffer {
    const whole = this.#pending.length === 0 ? part : Buffer.concat([...this.#pending, part])
    this.#pending = []
    this.#pendingSize = 0
    return whole
  }
}
