import type { Duplex } from 'node:stream'
import type { ParserError, Unread } from './audit/unread.ts'
import type { ErrorCode } from './errors.ts'
import { LINGER_MS, lingers } from './linger.ts'
import type { Turns } from './turns.ts'

const STATUS: Readonly<Record<string, readonly [status: string, code: ErrorCode]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'header-too-large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'body-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-timeout'],
}
const BAD: readonly [string, ErrorCode] = ['400 Bad Request', 'bad-request']

/**
 * What is no HTTP gets what Go's server says to it, for every version alike (net/http server.go), and the connection
 * closes. What came before it on the connection is answered first; an answer that has begun is cut off. No call comes of it,
 * so it has a record of its own.
 */
export function refuseGarbage(error: ParserError, socket: Duplex, turns: Turns, unread: Unread): void {
  if (lingers(socket)) return
  const last = turns.last(socket)
  const left = error.code === 'ECONNRESET' || (error.code === 'HPE_INVALID_EOF_STATE' && last !== undefined)
  const inBody = last !== undefined && !last.req.complete
  const says = error.code !== 'ECONNRESET' && socket.writable && !(inBody && (begun(socket) || last.ahead > 0))
  const [status, code] = STATUS[error.code ?? ''] ?? BAD
  // Who left has asked for nothing, or has a call whose own record tells.
  if (!left) unread.note({ socket, error, code, status: says ? Number.parseInt(status, 10) : undefined })
  if (!says) socket.destroy()
  else if (last?.req.complete === true) void last.over.then(() => refuse(status, code, socket))
  else refuse(status, code, socket)
}

/** The body that is being read is broken: nothing can be said once the answer has begun. */
const begun = (socket: Duplex & { _httpMessage?: { headersSent: boolean } }): boolean =>
  socket._httpMessage?.headersSent === true

function refuse(status: string, code: ErrorCode, socket: Duplex): void {
  const headers = `Content-Type: text/plain; charset=utf-8\r\nEnginebridge-Error: ${code}\r\nConnection: close\r\n`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n${status}`, () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}
