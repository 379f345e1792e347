import type { Socket } from 'node:net'
import type { Deadlines } from '../deadlines.ts'
import type { Limits } from '../limits.ts'
import type { Malformed } from '../message/malformed.ts'
import type { ClientRequest } from './request.ts'
import type { ClientResponse } from './response.ts'

/** The part of the server that a connection uses. */
export interface ConnectionHandlers {
  readonly limits: Pick<Limits, 'max-header' | 'header-timeout' | 'idle-timeout'>
  readonly deadlines: Deadlines
  /** Serves one request; resolves when both sides are done with it. A rejection destroys the connection. */
  call(request: ClientRequest, response: ClientResponse): Promise<void>
  /** Reports an unreadable request: its first bytes, and the status sent to the client, if any. */
  malformed(socket: Socket, bytes: Buffer, cause: Malformed, status: number | undefined): void
  failed(cause: unknown): void
  /** Responses of ended calls that wait for their clients to read: one more, or one less. */
  unread(change: 1 | -1): void
  readonly draining: () => boolean
}
