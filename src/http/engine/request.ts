import type { Duplex } from 'node:stream'
import type { BodyTarget } from '../client/request.ts'
import type { Framing } from '../message/framing.ts'
import type { Fields } from '../message/head.ts'
import type { Reading } from './reading.ts'

/** A body that is sent as it comes. */
export interface StreamedBody {
  readonly framing: Framing
  stream(target: BodyTarget): void
  pause(): void
  resume(): void
}

/** A request as it goes over the wire. */
export interface EngineRequest {
  readonly method: string
  /** With version prefix and query. */
  readonly path: string
  /** `Content-Length` or `Transfer-Encoding` is added for a body; without one, these are sent as they are. */
  readonly headers: Fields
  readonly body: Buffer | null
  /** A body that is sent as it comes, in place of `body`. */
  readonly streamed?: StreamedBody | undefined
  /** Asks for the connection itself (`Upgrade`); a websocket is opened by http-proxy. */
  readonly takesOver?: 'tunnel' | 'websocket'
}

/** A connection that is HTTP no longer. */
export interface EngineTunnel {
  readonly socket: Duplex
  /** Lends its buffers, where the engine's own socket is at hand. */
  readonly reading?: Reading
  /** What had been read behind the head. */
  readonly rest: Buffer
}

/** Receives a response as it comes. Exactly one of `end`, `switched` and `failed` is the last call. */
export interface ResponseSink {
  /** An interim response (1xx but 101). */
  interim?(status: number, reason: string, headers: Fields): void
  head(status: number, reason: string, headers: Fields, call: EngineCall): void
  /**
   * The piece is lent: who keeps it makes a copy. `begins`: the size of the chunk that this piece begins; 0 inside one, and
   * where there are none.
   */
  data(piece: Buffer, begins: number): void
  /** Everything that came in one read has been handed over. */
  flush?(): void
  /** Whether pieces are still being written: then what was lent is not used again. Left out: they are not. */
  readonly holds?: boolean
  end(): void
  /** The engine gave its connection away; only for requests with `takesOver`. */
  switched?(status: number, reason: string, headers: Fields, tunnel: EngineTunnel): void
  failed(cause: Error): void
}

/** A request under way. After its end nothing here does anything. */
export interface EngineCall {
  /** Stops reading the response until `resume`. */
  pause(): void
  resume(): void
  /** Closes the engine's connection: the engine cancels what it was doing. Ends in `failed`. */
  abort(): void
  /** Tells the engine that nothing more will come from this client, which may still read. */
  halfClose(): void
}
