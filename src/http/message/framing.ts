import { Malformed } from '../errors.ts'
import { ChunkReader, type ChunkSink } from './chunks/chunks.ts'
import type { FramingFields, RequestHead, ResponseHead } from './head.ts'

/** How a body ends (RFC 9112, 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

const NONE: Framing = { kind: 'none' }
const CHUNKED: Framing = { kind: 'chunked' }
const UNTIL_CLOSE: Framing = { kind: 'until-close' }

/**
 * Matches list members (RFC 9110, 5.6.1) without splitting a list that can be as long as a head. Only HTTP's
 * whitespace; `trim` removes more.
 */
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const KEEP_ALIVE = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i
const NOTHING = /(?:^|,)[\t ]*(?:,|$)/
const CHUNKED_BEFORE_ANOTHER = /(?:^|,)[\t ]*chunked[\t ]*,/i

/** Throws `Malformed` for anything that two parsers could frame differently. */
export function requestFraming({ framingFields: found, minor }: Pick<RequestHead, 'framingFields' | 'minor'>): Framing {
  if (found.hosts > 1) throw new Malformed('too many Host headers')
  if (found.hosts === 0 && minor === 1) throw new Malformed('missing required Host header')
  if (found.codings > 0) {
    if (minor === 0) throw new Malformed('HTTP/1.0 has no Transfer-Encoding')
    checkCoding(found)
    return CHUNKED
  }
  if (found.lengths === 0) return NONE
  const length = readLength(found)
  return length === 0 ? NONE : { kind: 'length', length }
}

/** `method`: of the request. */
export function responseFraming({ framingFields: found, minor, status }: ResponseHead, method: string): Framing {
  if (found.codings > 0) {
    if (minor === 0) throw new Malformed('an HTTP/1.0 response with Transfer-Encoding')
    checkCoding(found)
  }
  const length = found.lengths > 0 ? readLength(found) : undefined
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return NONE
  if (found.codings > 0) return CHUNKED
  if (length === undefined) return UNTIL_CLOSE
  return length === 0 ? NONE : { kind: 'length', length }
}

/** Only `chunked` is supported: an unknown coding gets 501, an ambiguous list 400. */
function checkCoding({ lengths, coding }: FramingFields): void {
  if (lengths > 0) throw new Malformed('Content-Length beside Transfer-Encoding')
  if (coding.toLowerCase() === 'chunked') return
  const ambiguous = NOTHING.test(coding) || CHUNKED_BEFORE_ANOTHER.test(coding)
  throw new Malformed(`unsupported transfer encoding: ${excerpt(coding)}`, 'bad-request', ambiguous ? 400 : 501)
}

/** Shortens a value for a message. */
const excerpt = (value: string): string => JSON.stringify(value.length > 50 ? `${value.slice(0, 50)}…` : value)

function readLength({ lengths, length }: FramingFields): number {
  const value = Number(length)
  if (lengths > 1 || !/^[0-9]{1,16}$/.test(length) || !Number.isSafeInteger(value))
    throw new Malformed(`bad Content-Length ${excerpt(length)}`)
  return value
}

/** Whether the sender keeps the connection open after this message (RFC 9112, 9.3). */
export function persists({ minor, framingFields }: Pick<RequestHead, 'minor' | 'framingFields'>): boolean {
  const { connection } = framingFields
  if (connection === '') return minor === 1
  return !CLOSE.test(connection) && (minor === 1 || KEEP_ALIVE.test(connection))
}

/** Finds the end of a body in the bytes of a connection. */
export class BodyReader {
  readonly #framing: Framing
  readonly #chunks: ChunkReader | undefined
  #left: number
  #closed = false

  constructor(framing: Framing) {
    this.#framing = framing
    this.#left = framing.kind === 'length' ? framing.length : 0
    this.#chunks = framing.kind === 'chunked' ? new ChunkReader() : undefined
  }

  get done(): boolean {
    if (this.#chunks !== undefined) return this.#chunks.done
    return this.#framing.kind === 'until-close' ? this.#closed : this.#left === 0
  }

  /** Reads from `at`; returns the end of the body, or of the bytes. Throws `Malformed`. */
  feed(bytes: Buffer, at: number, sink: ChunkSink): number {
    if (this.#chunks !== undefined) return this.#chunks.feed(bytes, at, sink)
    if (this.#framing.kind === 'until-close') {
      if (at < bytes.length) sink.data(bytes.subarray(at), 0)
      return bytes.length
    }
    const end = Math.min(bytes.length, at + this.#left)
    if (end === at) return at
    this.#left -= end - at
    sink.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), 0)
    return end
  }

  /** The connection ended. Returns whether that completes the body. */
  ended(): boolean {
    if (this.#framing.kind === 'until-close') this.#closed = true
    return this.done
  }
}
