import { Malformed } from '../errors.ts'
import { CR, isText, LF } from './characters.ts'
import type { HeadText } from './head.ts'

const END = Buffer.from('\r\n\r\n')
/** `#ending` of a head whose empty line is a bare LF. */
const BARE = END.length + 1
const FIRST_BYTES = 1024
/** Bytes of a head that are matched against its expected beginning. */
const FIRST_LOOK = 24
/** Bytes of empty lines before a head. They start no head: without this bound no timeout would end a stream of them. */
const MAX_EMPTY = 32

/** A request may follow empty lines (RFC 9112, 2.2), a response may not. */
export const REQUEST_BEGINS = /^(?:\r|[A-Z]{1,20}(?: |$))/
export const RESPONSE_BEGINS = /^(?:H|HT|HTT|HTTP|HTTP\/.*)$/s

interface WholeHead extends HeadText {
  readonly next: number
}

/**
 * Finds the end of a head. A head in one piece is not copied. Pieces are collected in a buffer that doubles, and every
 * byte is checked once, so that non-HTTP is rejected early.
 *
 * A request line of HTTP/1.0 may be ended by a bare LF as the empty line, as `echo -e "GET /info HTTP/1.0\r\n" | nc -U`
 * writes it: it has no header and no body, and ends its connection, so no parser can read on differently.
 */
export class HeadReader {
  readonly #limit: number
  readonly #begins: RegExp
  readonly #afterEmptyLines: boolean
  #held: Buffer | undefined
  #size = 0
  /** Length of the part of CRLF CRLF at the end of the held bytes. */
  #ending = 0
  /** There is a second line, so the head must end in CRLF CRLF. */
  #hasFields = false
  /** Bytes of empty lines since the last head; odd after a CR. */
  #empty = 0

  /** `limit`: bytes of a whole head. `begins`: matches any prefix of a valid head. */
  constructor(limit: number, begins: RegExp) {
    this.#limit = limit
    this.#begins = begins
    this.#afterEmptyLines = begins.test('\r')
  }

  get held(): number {
    return this.#size
  }

  get beginning(): Buffer {
    return this.#held?.subarray(0, this.#size) ?? Buffer.alloc(0)
  }

  /**
   * Reads from `at`. Returns the head in latin1 up to the CRLF of its last line, and the offset after it; undefined if
   * it is incomplete: then all bytes were consumed. Throws `Malformed`.
   */
  read(bytes: Buffer, at: number): WholeHead | undefined {
    if (this.#size > 0) return this.#readOn(bytes, at)
    const from = this.#afterEmptyLines ? this.#skipEmptyLines(bytes, at) : at
    const end = bytes.indexOf(END, from)
    if (end === -1 || (this.#afterEmptyLines && bytes[bytes.indexOf(LF, from) + 1] === LF))
      return this.#readOn(bytes, from)
    if (end + 4 - from > this.#limit) throw tooLarge(this.#limit)
    this.#empty = 0
    return { text: bytes.toString('latin1', from, end + 2), bytes, from, next: end + 4 }
  }

  #skipEmptyLines(bytes: Buffer, at: number): number {
    let from = at
    for (; from < bytes.length; from++) {
      const expected = this.#empty % 2 === 0 ? CR : LF
      if (bytes[from] !== expected) {
        if (expected === LF) throw new Malformed(BAD_BYTE)
        break
      }
      if (++this.#empty > MAX_EMPTY) throw new Malformed('too many empty lines before a head')
    }
    return from
  }

  #readOn(bytes: Buffer, at: number): WholeHead | undefined {
    const most = Math.min(bytes.length, at + this.#limit - this.#size)
    const next = this.#look(bytes, at, most)
    this.#gather(bytes, at, next)
    if (this.#ending >= END.length) return { ...this.#takeHeld(), next }
    if (next < bytes.length) throw tooLarge(this.#limit)
    return undefined
  }

  #takeHeld(): HeadText {
    const held = this.beginning
    const isBare = this.#ending === BARE
    const text = held.toString('latin1', 0, held.length - (isBare ? 1 : 2))
    if (isBare && !text.endsWith(' HTTP/1.0\r\n')) throw new Malformed(BAD_BYTE)
    this.#held = undefined
    this.#size = 0
    this.#ending = 0
    this.#hasFields = false
    this.#empty = 0
    return { text, bytes: held, from: 0 }
  }

  /** Looks for the end and for bytes that no head may contain; returns where it stopped. */
  #look(bytes: Buffer, from: number, to: number): number {
    let ending = this.#ending
    let at = from
    while (at < to && ending < END.length) {
      const byte = bytes[at++] ?? 0
      if (ending === 1 || ending === 3) {
        if (byte !== LF) throw new Malformed(BAD_BYTE)
        ending++
      } else if (isText(byte)) {
        this.#hasFields ||= ending === 2
        ending = 0
      } else if (byte === CR) ending++
      else if (byte === LF && ending === 2 && this.#afterEmptyLines && !this.#hasFields) ending = BARE
      else throw new Malformed(BAD_BYTE)
    }
    this.#ending = ending
    return at
  }

  #gather(bytes: Buffer, from: number, to: number): void {
    const before = this.#size
    const size = before + to - from
    if (size === 0) return
    let held = this.#held
    if (held === undefined || size > held.length) {
      held = Buffer.allocUnsafeSlow(Math.min(this.#limit, Math.max(FIRST_BYTES, size, 2 * before)))
      this.#held?.copy(held, 0, 0, before)
      this.#held = held
    }
    bytes.copy(held, before, from, to)
    this.#size = size
    if (before < FIRST_LOOK && !this.#begins.test(held.toString('latin1', 0, Math.min(size, FIRST_LOOK))))
      throw new Malformed('not HTTP')
  }
}

const BAD_BYTE = 'control character in the head, or a line without CRLF'

const tooLarge = (limit: number): Malformed => new Malformed(`the head exceeds ${limit} bytes`, 'header-too-large')
