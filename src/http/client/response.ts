import type { Socket } from 'node:net'
import { HeaderNames, Headers, type ReadonlyHeaders } from '../headers.ts'
import { ChunkWriter } from '../message/chunks/chunk-writer.ts'
import { headText } from '../message/head-text.ts'
import type { Output } from '../output.ts'
import type { ClientRequest } from './request.ts'

/** A connection that no longer speaks HTTP. */
export interface HijackedConnection {
  readonly socket: Socket
  /** Bytes read after the request. */
  readonly early: Buffer
}

/** The part of the connection that a response uses. */
export interface ResponseConnection {
  readonly output: Output
  readonly gone: boolean
  /** Whether bytes wait after the request. */
  readonly hasEarlyBytes: boolean
  readonly halfClosed: boolean
  /** Whether another request may follow. */
  keepsAlive(): boolean
  hijack(): HijackedConnection
  destroy(): void
}

type Ends = 'none' | 'length' | 'chunks' | 'close'

const BODILESS: ReadonlySet<number> = new Set([204, 304])
/** Not in a 1xx or 204 (RFC 9110, 8.6), whatever the engine says. */
const LENGTH = new HeaderNames(['content-length'])

/** Writes the response to one request. Output is sent at `flush` or `end`. */
export class ClientResponse {
  readonly #request: ClientRequest
  readonly #connection: ResponseConnection
  #ends: Ends = 'none'
  #defaults: ReadonlyHeaders | undefined
  #closes = false
  #rawBytesExpected = false
  #headSent = false
  #ended = false
  #keepsAlive = false
  readonly #chunks = new ChunkWriter()
  #drained: (() => void) | undefined
  #left: (() => void) | undefined
  #halfClosed: (() => void) | undefined

  constructor(request: ClientRequest, connection: ResponseConnection) {
    this.#request = request
    this.#connection = connection
  }

  get headSent(): boolean {
    return this.#headSent
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Whether the client left. */
  get gone(): boolean {
    return this.#connection.gone
  }

  /** Whether the client sent bytes after its request. */
  get hasEarlyBytes(): boolean {
    return this.#connection.hasEarlyBytes
  }

  /** Whether another request may follow; known once the head is sent. */
  get keepsAlive(): boolean {
    return this.#keepsAlive
  }

  /** Sends an interim response (RFC 9110, 15.2), except to HTTP/1.0. */
  interim(status: number, reason: string, headers: ReadonlyHeaders = new Headers()): void {
    // Never buffered for a client that does not read.
    if (this.#request.minor === 0 || this.#headSent || this.gone || this.#request.socket.writableNeedDrain) return
    this.#connection.output.add(headText(1, status, reason, headers.without(LENGTH)))
    this.#connection.output.flush()
  }

  /** Closes the connection after this response; bytes after the request are not parsed. */
  closeAfter(): void {
    this.#closes = true
  }

  /** Raw bytes may follow the request. If the protocol is not switched, they must not be parsed as a request. */
  expectRawBytes(): void {
    this.#rawBytesExpected = true
  }

  /** Headers that the head gets unless it has them; replaces those of an earlier call. */
  setDefaults(headers: ReadonlyHeaders): void {
    this.#defaults = headers
  }

  #withDefaults(headers: ReadonlyHeaders): ReadonlyHeaders {
    if (this.#defaults === undefined) return headers
    const all = headers.copy()
    for (const [name, value] of this.#defaults.entries()) if (!headers.has(name)) all.append(name, value)
    return all
  }

  /**
   * Sends the head. The body is framed by `Content-Length` if given, else by chunks, or by closing for HTTP/1.0. Adds
   * the fields of the connection.
   */
  head(status: number, reason: string, headers: ReadonlyHeaders): void {
    if (this.#headSent) throw new Error('the head of this response has been sent')
    this.#headSent = true
    const { minor, method } = this.#request
    const bodiless = method === 'HEAD' || BODILESS.has(status) || status < 200
    this.#ends = bodiless ? 'none' : headers.has('Content-Length') ? 'length' : minor === 1 ? 'chunks' : 'close'
    if (this.#rawBytesExpected && this.#connection.hasEarlyBytes) this.#closes = true
    this.#keepsAlive = !this.#closes && this.#ends !== 'close' && this.#connection.keepsAlive()
    const sent = this.#withDefaults(status === 204 ? headers.without(LENGTH) : headers)
    this.#connection.output.add(headText(minor, status, reason, sent, this.#connectionFields()))
  }

  #connectionFields(): string {
    const chunked = this.#ends === 'chunks' ? 'Transfer-Encoding: chunked\r\n' : ''
    if (!this.#keepsAlive) return `${chunked}Connection: close\r\n`
    return this.#request.minor === 0 ? `${chunked}Connection: keep-alive\r\n` : chunked
  }

  /** `begins`: the size of the chunk that the piece begins; 0 within a chunk. Default: the piece is one chunk. */
  write(piece: Buffer, begins = piece.length): void {
    if (this.#ends === 'none' || this.#ended || piece.length === 0) return
    if (this.#ends === 'chunks') this.#chunks.add(this.#connection.output, piece, begins)
    else this.#connection.output.add(piece)
  }

  /** Whether pieces are still being written. */
  get isWriting(): boolean {
    return this.#connection.output.isWriting
  }

  /** Returns false if the client does not keep up: write on after `onDrain`. */
  flush(): boolean {
    return this.#connection.output.flush()
  }

  end(piece?: Buffer): void {
    if (this.#ended) return
    if (piece !== undefined && piece.length > 0) this.write(piece)
    if (this.#ends === 'chunks') this.#chunks.end(this.#connection.output)
    this.#ended = true
    this.#connection.output.flush()
  }

  /** Closes the connection in the middle of the response. */
  cut(): void {
    this.#connection.output.flush()
    this.#connection.destroy()
  }

  /** Sends the head without connection fields of its own, and releases the connection. */
  switch(status: number, reason: string, headers: ReadonlyHeaders): HijackedConnection {
    this.#headSent = true
    this.#ended = true
    this.#connection.output.add(headText(1, status, reason, headers))
    this.#connection.output.flush()
    return this.#connection.hijack()
  }

  /** Releases the connection without a head, for a protocol that starts on its own. */
  hijack(): HijackedConnection {
    this.#headSent = true
    this.#ended = true
    return this.#connection.hijack()
  }

  /** Sets the one listener for pending output that the client has taken. */
  onDrain(drained: () => void): void {
    this.#drained = drained
  }

  /** Sets the one listener for a client that leaves before the end of the response; it is called at once if it has left. */
  onGone(left: () => void): void {
    if (this.gone && !this.#ended) left()
    else this.#left = left
  }

  /**
   * Sets the one listener for a client that half-closed and may still read. TCP only: on a unix socket `onGone` reports
   * a client that left.
   */
  onHalfClose(closed: () => void): void {
    this.#halfClosed = closed
    if (this.#connection.halfClosed && !this.#ended && this.#request.socket.remoteAddress !== undefined) closed()
  }

  // For the connection.

  notifyDrained(): void {
    this.#drained?.()
  }

  notifyHalfClosed(): void {
    if (!this.#ended) this.#halfClosed?.()
  }

  notifyGone(): void {
    if (!this.#ended) this.#left?.()
  }
}
