import type { Socket } from 'node:net'
import type { Framing } from '../message/framing.ts'
import type { Fields, RequestHead } from '../message/head.ts'

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

/** What a request needs from its connection. */
export interface BodySource {
  /** Sends the body to `target`, starting with what has already arrived. */
  stream(target: BodyTarget): void
  pauseBody(): void
  resumeBody(): void
  readonly bodyDone: boolean
}

export class ClientRequest {
  readonly method: string
  /** As sent: path and query, or absolute-form. */
  readonly target: string
  readonly minor: 0 | 1
  readonly fields: Fields
  readonly framing: Framing
  /** For the peer's address and credentials. */
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

  get complete(): boolean {
    return this.#source.bodyDone
  }

  /** The first field with that lower-case name. */
  field(name: string): string | undefined {
    return fieldOf(this.fields, name)
  }

  /** May be called once. */
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

/** The first field with that lower-case name. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  for (let i = 0; i < fields.length; i += 2) {
    const candidate = fields[i]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) return fields[i + 1]
  }
  return undefined
}
