import net from 'node:net'
import tls from 'node:tls'
import { ClientConnection, type ConnectionHandlers } from './client/connection.ts'
import { Malformed } from './errors.ts'
import { keepAlive } from './liveness.ts'
import type { TlsFiles } from './tls/tls-files.ts'

/** A server with its open connections. */
export interface Listener {
  readonly server: net.Server
  /** All open sockets, including those in a TLS handshake and hijacked ones. */
  readonly sockets: ReadonlySet<net.Socket>
  /** Closes idle connections now and busy ones after their current request. */
  drain(): void
}

const NOTHING = Buffer.alloc(0)
const ACCEPTED = { allowHalfOpen: true, noDelay: true }

/** An HTTP/1.1 server, over TLS if given certificates. Not listening yet. */
export function createListener(handlers: ConnectionHandlers, secure?: TlsFiles): Listener {
  const sockets = new Set<net.Socket>()
  const connections = new Set<ClientConnection>()
  const opened = (socket: net.Socket): boolean => {
    sockets.add(socket)
    keepAlive(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isKnown(socket)) return true
    socket.destroy()
    return false
  }
  const accepted = (socket: net.Socket): void => {
    const connection = new ClientConnection(socket, handlers)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }
  const handshakeTimeout = handlers.limits['header-timeout']
  const server =
    secure === undefined
      ? net.createServer(ACCEPTED, (socket) => opened(socket) && accepted(socket))
      : secure
          .serve(tls.createServer({ ...secure.options, ...ACCEPTED, handshakeTimeout }, accepted))
          .on('connection', opened)
  server.on('tlsClientError', (error: TlsError, socket: tls.TLSSocket) => {
    const why = refusalOf(error, socket)
    const isPlain = error.reason === 'http request'
    if (why !== undefined)
      handlers.malformed(connectionOf(socket), NOTHING, new Malformed(why), isPlain ? 400 : undefined)
    if (isPlain) connectionOf(socket).end(PLAIN_HTTP)
    socket.destroy()
  })
  return {
    server,
    sockets,
    drain: () => {
      for (const connection of connections) connection.drain()
    },
  }
}

/** The answer to a client that does not speak TLS: net/http's (server.go). */
const PLAIN_HTTP = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

/** `reason`: OpenSSL's words alone; the message is a line of its log. */
interface TlsError extends NodeJS.ErrnoException {
  readonly reason?: string
}

/** Undefined for a client that left. Node reports a refused certificate as ECONNRESET, too. */
function refusalOf({ code, message, reason }: TlsError, socket: tls.TLSSocket): string | undefined {
  const why = socket.authorizationError
  if (why) return `the client's certificate is not accepted: ${String(why)}`
  if (code === 'ECONNRESET') return undefined
  return reason === undefined ? message : `the TLS handshake failed: ${reason}`
}

/**
 * A TCP client that has reset the connection has no address any more, and its call would be on record without one. Once
 * read, Node keeps the address. Unix sockets have none of either.
 */
const isKnown = (socket: net.Socket): boolean => socket.remoteAddress !== undefined || socket.localAddress === undefined

/** The TCP socket below a TLS socket, which has no public name: it has the peer's address also after a reset. */
export const connectionOf = (socket: net.Socket): net.Socket =>
  '_parent' in socket && socket._parent instanceof net.Socket ? socket._parent : socket
