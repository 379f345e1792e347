import type { Socket } from 'node:net'
import { ChunkWriter } from '../message/chunks/chunk-writer.ts'
import type { Fields } from '../message/head.ts'
import type { Output } from '../output.ts'
import { type ClientRequest, fieldOf } from './request.ts'

/** A connection that is HTTP no longer. */
export interface TakenOver {
  readonly socket: Socket
  /** What had been read behind the request. */
  readonly rest: Buffer
}

/** What a response asks of its connection. */
export interface ResponseWire {
  readonly output: Output
  /** Whether the connection is gone, or cannot be written to. */
  readonly gone: boolean
  /** Whether bytes wait behind the request. */
  readonly holds: boolean
  /** Whether the client has ended its side. */
  readonly halfClosed: boolean
  /** Whether the connection may carry another call after this one. */
  keepsAlive(): boolean
  takeOver(): TakenOver
  cut(): void
}

/** How a response's body ends. */
type Ends = 'none' | 'length' | 'chunks' | 'close'

const BODILESS: ReadonlySet<number> = new Set([204, 304])

/** Writes the answer to one request. What is written in one turn leaves together at `flush` or `end`. */
export class ClientResponse {
  readonly #request: ClientRequest
  readonly #wire: ResponseWire
  #ends: Ends = 'none'
  #always: Fields = []
  #closes = false
  #rawFollows = false
  #headSent = false
  #ended = false
  #keepsAlive = false
  readonly #chunks = new ChunkWriter()
  #drained: (() => void) | undefined
  #left: (() => void)[] = []
  #halfClosed: (() => void) | undefined

  constructor(request: ClientRequest, wire: ResponseWire) {
    this.#request = request
    this.#wire = wire
  }

  /** Whether the head has been handed over: nothing else can be answered any more. */
  get headSent(): boolean {
    return this.#headSent
  }

  /** Whether the answer is whole. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether the client has left before it had its answer. */
  get gone(): boolean {
    return this.#wire.gone
  }

  /** Whether the client has written more than its request. */
  get holdsBytes(): boolean {
    return this.#wire.holds
  }

  /** Whether the connection may carry another call; known once the head is sent. */
  get keepsAlive(): boolean {
    return this.#keepsAlive
  }

  /** An interim response (RFC 9110, 15.2), at once. HTTP/1.0 has none. */
  interim(status: number, reason: string, fields: Fields = []): void {
    // A client that does not keep up must not make us hold them.
    if (this.#request.minor === 0 || this.#headSent || this.gone || this.#request.socket.writableNeedDrain) return
    this.#wire.output.add(headText(1, status, reason, fields))
    this.#wire.output.flush()
  }

  /** The connection ends with this response: what the client wrote behind its request is not read as another. */
  closeAfter(): void {
    this.#closes = true
  }

  /** The client may write raw bytes behind its request: in a connection that is not switched they are no request. */
  rawBytesMayFollow(): void {
    this.#rawFollows = true
  }

  /** Fields that every head of this response has, unless it has them already. */
  always(fields: Fields): void {
    this.#always = fields
  }

  #withAlways(fields: Fields): Fields {
    if (this.#always.length === 0) return fields
    const all = [...fields]
    for (let i = 0; i < this.#always.length; i += 2) {
      const name = this.#always[i] ?? ''
      if (fieldOf(fields, name.toLowerCase()) === undefined) all.push(name, this.#always[i + 1] ?? '')
    }
    return all
  }

  /**
   * Hands over the head. With `Content-Length` among the fields the body has that length; else it is chunked, or lasts until
   * the connection closes for a client of HTTP/1.0. The fields of the connection are added here.
   */
  head(status: number, reason: string, fields: Fields): void {
    if (this.#headSent) throw new Error('the head of this response has been sent')
    this.#headSent = true
    const { minor, method } = this.#request
    const bodiless = method === 'HEAD' || BODILESS.has(status) || status < 200
    this.#ends = bodiless
      ? 'none'
      : fieldOf(fields, 'content-length') !== undefined
        ? 'length'
        : minor === 1
          ? 'chunks'
          : 'close'
    if (this.#rawFollows && this.#wire.holds) this.#closes = true
    this.#keepsAlive = !this.#closes && this.#ends !== 'close' && this.#wire.keepsAlive()
    this.#wire.output.add(headText(minor, status, reason, this.#withAlways(fields), this.#connectionFields()))
  }

  #connectionFields(): string {
    const chunked = this.#ends === 'chunks' ? 'Transfer-Encoding: chunked\r\n' : ''
    if (!this.#keepsAlive) return `${chunked}Connection: close\r\n`
    return this.#request.minor === 0 ? `${chunked}Connection: keep-alive\r\n` : chunked
  }

  /**
   * A piece of the body. `begins`: the size of the chunk that it begins; 0 inside one. Left out, the piece is a chunk of its own.
   */
  write(piece: Buffer, begins = piece.length): void {
    if (this.#ends === 'none' || this.#ended || piece.length === 0) return
    if (this.#ends === 'chunks') this.#chunks.add(this.#wire.output, piece, begins)
    else this.#wire.output.add(piece)
  }

  /** Whether pieces that were handed over are still being written. */
  get holdsPieces(): boolean {
    return this.#wire.output.holds
  }

  /** Sends what was written; false when the client does not keep up: then `onDrain` tells when it does again. */
  flush(): boolean {
    return this.#wire.output.flush()
  }

  /** Ends the answer. */
  end(piece?: Buffer): void {
    if (this.#ended) return
    if (piece !== undefined && piece.length > 0) this.write(piece)
    if (this.#ends === 'chunks') this.#chunks.end(this.#wire.output)
    this.#ended = true
    this.#wire.output.flush()
  }

  /** Breaks off an answer that has begun: its head is told, its end is not. */
  cut(): void {
    this.#wire.output.flush()
    this.#wire.cut()
  }

  /** Switches to another protocol: sends the head with nothing added, and gives the connection away. */
  switch(status: number, reason: string, fields: Fields): TakenOver {
    this.#headSent = true
    this.#ended = true
    this.#wire.output.add(headText(1, status, reason, fields))
    this.#wire.output.flush()
    return this.#wire.takeOver()
  }

  /** Gives the connection away with no head: for a protocol that has its own beginning. */
  takeOver(): TakenOver {
    this.#headSent = true
    this.#ended = true
    return this.#wire.takeOver()
  }

  /** One listener: what waits for the client to take what was written. */
  onDrain(drained: () => void): void {
    this.#drained = drained
  }

  /** Heard once, when the client has left before the answer's end. At once where it has. */
  onLeft(left: () => void): void {
    if (this.gone && !this.#ended) left()
    else this.#left.push(left)
  }

  /** One listener: the client has ended its side and may still read (TCP; on a unix socket one that is gone is told by `onLeft`). */
  onHalfClose(closed: () => void): void {
    this.#halfClosed = closed
    if (this.#wire.halfClosed && !this.#ended && this.#request.socket.remoteAddress !== undefined) closed()
  }

  /** For the connection alone. */
  tellDrained(): void {
    this.#drained?.()
  }

  /** For the connection alone. */
  tellHalfClosed(): void {
    if (!this.#ended) this.#halfClosed?.()
  }

  /** For the connection alone. */
  tellLeft(): void {
    const all = this.#left
    this.#left = []
    if (!this.#ended) for (const left of all) left()
  }
}

/** A head as it stands on the wire, latin1. `more`: further field lines. */
export function headText(minor: 0 | 1, status: number, reason: string, fields: Fields, more = ''): string {
  let text = `HTTP/1.${minor} ${status} ${reason}\r\n`
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`
  return `${text}${more}\r\n`
}
