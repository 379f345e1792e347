import type { EngineRequest } from '../http/engine/request.ts'
import type { ReadonlyHeaders } from '../http/headers.ts'

/** A request to the engine, followed by its body. */
export type RequestHead = Pick<EngineRequest, 'method' | 'path' | 'headers'>

export interface ResponseHead {
  readonly status: number
  readonly headers: ReadonlyHeaders
}

/** The four messages of a call. */
export type MessageSide = 'clientRequest' | 'engineRequest' | 'engineResponse' | 'clientResponse'

/**
 * Observes a call. Chunks belong to the lane: copy them to keep them, up to a bound. An observer may refuse a request
 * by throwing before any of it is sent: in `request`, or in `body` for `engineRequest` before the response.
 */
export interface CallObserver {
  /** Also called for an emulation's further calls to the engine. */
  request(head: RequestHead, byEmulation: boolean): void
  response(side: 'engineResponse' | 'clientResponse', head: ResponseHead): void
  body(side: MessageSide, chunk: Buffer): void
  /** Bytes of a tunnel, after both heads. They are lent (src/http/engine/buffer-lender.ts): copy them to keep them. */
  stream(from: 'client' | 'engine', chunk: Buffer): void
  /** Called once, when the call has ended on both sides. */
  over(): void
}

const ignore = (): void => {
  // for observers of other messages
}
/** Sees nothing; observers of some messages only begin with it. */
export const SILENT: CallObserver = { request: ignore, response: ignore, body: ignore, stream: ignore, over: ignore }
