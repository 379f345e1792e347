import { Malformed } from './malformed.ts'

const END = Buffer.from('\r\n\r\n')
const CR = 0x0d
const LF = 0x0a
const TAB = 0x09
const FIRST_BYTES = 1024
/** As much of a head's beginning is held against what one begins with. */
const FIRST_LOOK = 24

export const REQUEST_BEGINS = /^(?:\r\n)*(?:\r|[A-Z]{1,20}(?: |$)|$)/
export const RESPONSE_BEGINS = /^(?:H|HT|HTT|HTTP|HTTP\/.*)$/s

/**
 * Finds the end of a head. One that comes in one piece is never copied; one in many is gathered in a buffer that doubles,
 * and each byte is looked at once, so that what is no HTTP is refused before an end that never comes.
 */
export class HeadReader {
  readonly #limit: number
  readonly #begins: RegExp
  #held: Buffer | undefined
  #size = 0

  /** `limit`: bytes of a whole head. `begins`: what the first bytes of one must match, however few have come. */
  constructor(limit: number, begins: RegExp) {
    this.#limit = limit
    this.#begins = begins
  }

  /** Bytes of a head that has begun. */
  get held(): number {
    return this.#size
  }

  /** What has come of a head, for who wants to tell of it. */
  get beginning(): Buffer {
    return this.#held?.subarray(0, this.#size) ?? Buffer.alloc(0)
  }

  /**
   * Reads on at `at`. Returns the head as latin1 with the CRLF of its last line, and where the rest begins; undefined where
   * there is no whole head yet: then everything was taken. Throws `Malformed`.
   */
  read(bytes: Buffer, at: number): { readonly text: string; readonly next: number } | undefined {
    if (this.#size === 0) {
      const from = skipEmptyLines(bytes, at)
      const end = bytes.indexOf(END, from)
      if (end === -1) {
        this.#gather(bytes, from, bytes.length)
        return undefined
      }
      if (end + 4 - from > this.#limit) throw tooLarge(this.#limit)
      return { text: bytes.toString('latin1', from, end + 2), next: end + 4 }
    }
    return this.#readOn(bytes, at)
  }

  #readOn(bytes: Buffer, at: number): { readonly text: string; readonly next: number } | undefined {
    const before = this.#size
    const most = Math.min(bytes.length, at + this.#limit + 1 - before)
    this.#gather(bytes, at, most)
    const held = this.beginning
    const end = held.indexOf(END, Math.max(0, before - 3))
    if (end === -1) return undefined
    this.#held = undefined
    this.#size = 0
    return { text: held.toString('latin1', 0, end + 2), next: at + end + 4 - before }
  }

  #gather(bytes: Buffer, from: number, to: number): void {
    const size = this.#size + to - from
    if (this.#held === undefined || size > this.#held.length) this.#grow(size)
    bytes.copy(this.#held as Buffer, this.#size, from, to)
    const held = this.#held as Buffer
    const seen = this.#size
    this.#size = size
    const end = held.subarray(0, size).indexOf(END, Math.max(0, seen - 3))
    checkBytes(held, seen, end === -1 ? size : end + 4)
    if (seen < FIRST_LOOK && !this.#begins.test(held.toString('latin1', 0, Math.min(size, FIRST_LOOK))))
      throw new Malformed('not HTTP')
    if (end === -1 ? size > this.#limit : end + 4 > this.#limit) throw tooLarge(this.#limit)
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, size, 2 * this.#size))
    this.#held?.copy(larger, 0, 0, this.#size)
    this.#held = larger
  }
}

const tooLarge = (limit: number): Malformed => new Malformed(`the head is larger than ${limit} bytes`, 431)

/** Empty lines before a request line are robustness's (RFC 9112, 2.2). */
function skipEmptyLines(bytes: Buffer, at: number): number {
  let from = at
  while (bytes[from] === CR && bytes[from + 1] === LF) from += 2
  return from
}

/** Of bytes that no whole head has come with: refuses what none can have, each byte once. */
function checkBytes(held: Buffer, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const byte = held[i] ?? 0
    const before = i === 0 ? 0 : held[i - 1]
    const bare = before === CR ? byte !== LF : byte === LF
    if (bare || (byte < 0x20 && byte !== TAB && byte !== CR && byte !== LF) || byte === 0x7f)
      throw new Malformed('a control character in the head, or a line that ends without CRLF')
  }
}
