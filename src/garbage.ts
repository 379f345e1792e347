import type { Duplex } from 'node:stream'
import type { ErrorCode } from './errors.ts'
import type { Turns } from './turns.ts'

/** A client that does not read its refusal is not waited for. */
const LINGER_MS = 1000

const STATUS: Readonly<Record<string, readonly [status: string, code: ErrorCode]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'header-too-large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'body-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-timeout'],
}
const BAD: readonly [string, ErrorCode] = ['400 Bad Request', 'bad-request']

/**
 * What is no HTTP gets what Go's server says to it, for every version alike (net/http server.go), and the connection
 * closes. What came before it on the connection is answered first; an answer that has begun is cut off.
 */
export function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex, turns: Turns): void {
  const last = turns.last(socket)
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else if (last === undefined) refuse(error, socket)
  else if (last.req.complete) void last.over.then(() => refuse(error, socket))
  else {
    // The body that is being read is broken: nothing can be said once the answer has begun.
    const begun = (socket as Duplex & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true
    if (begun || last.ahead > 0) socket.destroy()
    else refuse(error, socket)
  }
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, code] = STATUS[error.code ?? ''] ?? BAD
  const headers = `Content-Type: text/plain; charset=utf-8\r\nEnginebridge-Error: ${code}\r\nConnection: close\r\n`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n${status}`, () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}
