import type { Duplex } from 'node:stream'
import type { ClientRequest } from '../client/request.ts'
import type { ReadonlyHeaders } from '../headers.ts'
import type { BufferLender } from './buffer-lender.ts'

/** A request body forwarded as it arrives. */
export type StreamedBody = Pick<ClientRequest, 'framing' | 'stream' | 'pause' | 'resume'>

/** Changes nothing (RFC 9110, 9.2.1): may be sent again, or given up. */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** A request to the engine. */
export interface EngineRequest {
  readonly method: string
  /** Including version prefix and query. */
  readonly path: string
  /** `Content-Length` or `Transfer-Encoding` is added if there is a body; otherwise those given are sent. */
  readonly headers: ReadonlyHeaders
  readonly body: Buffer | null
  /** Instead of `body`. */
  readonly streamed?: StreamedBody | undefined
  /** Requests a connection upgrade; websockets go through http-proxy. */
  readonly hijackAs?: 'tunnel' | 'websocket'
}

/** A request head in latin1, as sent. */
export function requestText({ method, path, headers, body, streamed }: EngineRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\n${headers.lines}`
  if (body !== null) text += `Content-Length: ${body.length}\r\n`
  else if (streamed?.framing.kind === 'length') text += `Content-Length: ${streamed.framing.length}\r\n`
  else if (streamed?.framing.kind === 'chunked') text += 'Transfer-Encoding: chunked\r\n'
  return `${text}\r\n`
}

/** A connection after its upgrade. */
export interface EngineTunnel {
  readonly socket: Duplex
  /** Reads into reusable buffers; only for a direct socket. */
  readonly lender?: BufferLender
  /** Bytes read after the head. */
  readonly rest: Buffer
  /** Closes it on the bridge's initiative. */
  close(): void
}

/** Receives a response. Exactly one of `end`, `switched` and `failed` is the last call. */
export interface ResponseSink {
  /** An interim response (1xx except 101). */
  interim?(status: number, reason: string, headers: ReadonlyHeaders): void
  head(status: number, reason: string, headers: ReadonlyHeaders, call: EngineCall): void
  /** The piece is lent: copy it to keep it. `begins`: size of the chunk it begins; 0 within one, or if unchunked. */
  data(piece: Buffer, begins: number): void
  /** After all pieces of one read. */
  flush?(): void
  /** Whether pieces are still being written: then their buffer is not reused. */
  readonly isWriting?: boolean
  end(): void
  /** The engine switched protocols; only for requests with `hijackAs`. */
  switched?(status: number, reason: string, headers: ReadonlyHeaders, tunnel: EngineTunnel): void
  failed(cause: Error): void
}

/** A request in progress. All methods are no-ops after its end. */
export interface EngineCall {
  pause(): void
  resume(): void
  /** Closes the connection, which cancels the operation in the engine. Ends in `failed`; pieces of the same read may follow. */
  abort(): void
  /** The client sends no more, but may still read. */
  halfClose(): void
}
