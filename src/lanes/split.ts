import { Refusal } from '../errors.ts'

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
  #inString = false
  #escaped = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The records that this chunk completes, each as the bytes of one object. */
  push(chunk: Buffer): Buffer[] {
    const records: Buffer[] = []
    let start = this.#depth > 0 ? 0 : -1
    for (let i = 0; i < chunk.length; i++) {
      const edge = this.#step(chunk[i] ?? 0)
      if (edge === 'opened') start = i
      if (edge === 'closed') {
        records.push(this.#take(chunk.subarray(start, i + 1)))
        start = -1
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start))
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

  #step(byte: number): 'opened' | 'closed' | undefined {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inString = false
      return undefined
    }
    switch (byte) {
      case QUOTE:
        this.#inString = this.#depth > 0
        return undefined
      case OPEN_BRACE:
      case OPEN_BRACKET:
        return this.#depth++ === 0 ? 'opened' : undefined
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        return this.#depth > 0 && --this.#depth === 0 ? 'closed' : undefined
      default:
        return undefined
    }
  }

  #keep(part: Buffer): void {
    this.#pendingSize += part.length
    if (this.#pendingSize > this.#limit)
      throw new Refusal('engine-broke-off', `a record is larger than ${this.#limit} bytes`)
    this.#pending.push(part)
  }

  #take(part: Buffer): Buffer {
    const whole = this.#pending.length === 0 ? part : Buffer.concat([...this.#pending, part])
    this.#pending = []
    this.#pendingSize = 0
    return whole
  }
}
