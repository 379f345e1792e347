import { words } from '../../../config/text.ts'
import { Malformed } from '../../errors.ts'
import { COLON, CR, isText, isToken, LF } from '../characters.ts'

/** Bytes of all trailers of a message. */
const MAX_TRAILERS = 16 * 1024
/** Fields of framing, routing and connection management (RFC 9110, 6.5.1). */
const FORBIDDEN = words('content-length transfer-encoding host connection proxy-connection trailer upgrade')
const LONGEST_FORBIDDEN = 17

type State = 'line' | 'name' | 'value' | 'line-lf' | 'end-lf'

/** Validates and drops the trailer section of a chunked body (RFC 9112, 7.1.2). */
export class TrailerReader {
  #state: State = 'line'
  #size = 0
  /** Enough of the name to recognize a forbidden one. */
  #name = ''

  /** Returns whether the byte ends the section. */
  take(byte: number): boolean {
    if (++this.#size > MAX_TRAILERS)
      throw new Malformed(`trailers are larger than ${MAX_TRAILERS} bytes`, 'body-too-large')
    switch (this.#state) {
      case 'line':
        this.#name = ''
        if (byte === CR) this.#state = 'end-lf'
        else this.#takeName(byte)
        return false
      case 'name':
        if (byte !== COLON) this.#takeName(byte)
        else this.#endName()
        return false
      case 'value':
        if (byte === CR) this.#state = 'line-lf'
        else if (!isText(byte)) throw new Malformed('a control character in a trailer')
        return false
      case 'line-lf':
      case 'end-lf':
        if (byte !== LF) throw new Malformed('a trailer line ends without CRLF')
        if (this.#state === 'end-lf') return true
        this.#state = 'line'
        return false
      default:
        return this.#state satisfies never
    }
  }

  #takeName(byte: number): void {
    if (!isToken(byte)) throw new Malformed('invalid trailer name')
    this.#state = 'name'
    if (this.#name.length <= LONGEST_FORBIDDEN) this.#name += String.fromCharCode(byte)
  }

  #endName(): void {
    if (FORBIDDEN.includes(this.#name.toLowerCase())) throw new Malformed(`${this.#name} must not be a trailer`)
    this.#state = 'value'
  }
}
