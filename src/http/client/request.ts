import type { Socket } from 'node:net'
import type { Framing } from '../message/framing.ts'
import type { Fields, RequestHead } from '../message/head.ts'

/** Takes a request's body as it comes. Exactly one of `end` and `failed` is the last call. */
export interface BodyTarget {
  /** `begins`: the size of the chunk that this piece begins; 0 inside one, and where there are none. */
  data(piece: Buffer, begins: number): void
  /** Everything that came in one read has been handed over. */
  flush?(): void
  end(): void
  /** The client left or broke the rules of HTTP before the body's end. */
  failed(cause: Error): void
}

/** What a request asks of the connection that it came on. */
export interface BodySource {
  /** From now on the body goes to `target`, beginning with what has come already. */
  stream(target: BodyTarget): void
  pauseBody(): void
  resumeBody(): void
  readonly bodyDone: boolean
}

/** A client's request. */
export class ClientRequest {
  readonly method: string
  /** As the client sent it: path and query, or an absolute form. */
  readonly target: string
  readonly minor: 0 | 1
  readonly fields: Fields
  readonly framing: Framing
  /** For who wants to know the peer. */
  readonly socket: Socket
  readonly #source: BodySource

  constructor(head: RequestHead, framing: Framing, socket: Socket, source: BodySource) {
    this.method = head.method
    this.target = head.target
    this.minor = head.minor
    this.fields = head.fields
    this.framing = framing
    this.socket = socket
    this.#source = source
  }

  get hasBody(): boolean {
    return this.framing.kind !== 'none'
  }

  /** Whether the whole body has been read. */
  get complete(): boolean {
    return this.#source.bodyDone
  }

  /** The first field of that lower-case name. */
  field(name: string): string | undefined {
    return fieldOf(this.fields, name)
  }

  /** Hands the body over as it comes; once. */
  stream(target: BodyTarget): void {
    this.#source.stream(target)
  }

  pause(): void {
    this.#source.pauseBody()
  }

  resume(): void {
    this.#source.resumeBody()
  }
}

/** The first field of that lower-case name. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  for (let i = 0; i < fields.length; i += 2) {
    const candidate = fields[i]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) return fields[i + 1]
  }
  return undefined
}
