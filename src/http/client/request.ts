import type { Socket } from 'node:net'
import type { ReadonlyHeaders } from '../headers.ts'
import { BodyReader, type Framing, persists } from '../message/framing.ts'
import type { RequestHead } from '../message/head.ts'
import type { HeldInput } from './held-input.ts'

/** Receives a request body. Exactly one of `end` and `failed` is the last call. */
export interface BodyTarget {
  /** `begins`: the size of the chunk that the piece begins; 0 within a chunk or an unchunked body. */
  data(piece: Buffer, begins: number): void
  /** After all pieces of one read. */
  flush?(): void
  end(): void
  /** The client left or violated HTTP before the end. */
  failed(cause: Error): void
}

/** The part of the connection that a request uses. */
export interface BodySource {
  /** Feeds the body to the request, starting with what has already arrived. */
  bodyWanted(request: ClientRequest): void
  readonly input: Pick<HeldInput, 'pauseBody' | 'resumeBody'>
}

const DISCARD: BodyTarget = { data: () => undefined, end: () => undefined, failed: () => undefined }

export class ClientRequest {
  readonly method: string
  /** As sent: path and query, or absolute-form; bytes beyond ASCII are escaped. */
  readonly target: string
  readonly minor: 0 | 1
  readonly headers: ReadonlyHeaders
  /** Whether another request may follow on the connection. */
  readonly persists: boolean
  readonly framing: Framing
  /** For the peer's address and credentials. */
  readonly socket: Socket
  readonly #source: BodySource
  readonly #body: BodyReader | undefined
  #receiver: BodyTarget | undefined
  /** The connection ended within the body. */
  isCut = false

  constructor(head: RequestHead, framing: Framing, socket: Socket, source: BodySource) {
    this.method = head.method
    this.target = head.target
    this.minor = head.minor
    this.headers = head.headers
    this.persists = persists(head)
    this.framing = framing
    this.socket = socket
    this.#source = source
    this.#body = framing.kind === 'none' ? undefined : new BodyReader(framing)
  }

  get hasBody(): boolean {
    return this.framing.kind !== 'none'
  }

  /** Whether the whole body has been read. */
  get complete(): boolean {
    return this.#body === undefined || this.#body.done
  }

  /** May be called once. */
  stream(target: BodyTarget): void {
    this.#receiver = target
    if (this.complete) target.end()
    else this.#source.bodyWanted(this)
  }

  pause(): void {
    this.#source.input.pauseBody()
  }

  resume(): void {
    this.#source.input.resumeBody()
  }

  // For the connection.

  get streams(): boolean {
    return this.#receiver !== undefined
  }

  /** Reads and drops the body from here on. */
  discardBody(): void {
    this.#receiver = DISCARD
  }

  /** Reads from `at`; returns where the body ended, or the end of the chunk. Throws `Malformed`. */
  readBody(chunk: Buffer, at: number): number {
    const body = this.#body
    const receiver = this.#receiver
    if (body === undefined || receiver === undefined) return at
    const next = body.feed(chunk, at, receiver)
    if (body.done) receiver.end()
    else receiver.flush?.()
    return next
  }

  /** Ends the body; its target hears nothing further. */
  failBody(cause: Error): void {
    const receiver = this.#receiver
    this.#receiver = undefined
    receiver?.failed(cause)
  }
}
