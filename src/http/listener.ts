import net from 'node:net'
import tls from 'node:tls'
import { ClientConnection } from './client/connection.ts'
import type { ConnectionHandlers } from './client/handlers.ts'
import type { TlsFiles } from './listen/tls-files.ts'
import { Malformed } from './message/malformed.ts'

/** A server with its open connections. */
export interface Listener {
  readonly server: net.Server
  /** All open sockets, including those in a TLS handshake and hijacked ones. */
  readonly sockets: ReadonlySet<net.Socket>
  /** Closes idle connections now and busy ones after their current request. */
  drain(): void
}

const NOTHING = Buffer.alloc(0)

/** An HTTP/1.1 server, over TLS if given certificates. Not listening yet. */
export function createListener(handlers: ConnectionHandlers, secure?: TlsFiles): Listener {
  const sockets = new Set<net.Socket>()
  const connections = new Set<ClientConnection>()
  const accepted = (socket: net.Socket): void => {
    const connection = new ClientConnection(socket, handlers)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }
  const handshakeTimeout = handlers.limits['header-timeout']
  const server =
    secure === undefined
      ? net.createServer({ allowHalfOpen: true, noDelay: true }, accepted)
      : secure.serve(
          tls.createServer({ ...secure.options, handshakeTimeout, allowHalfOpen: true, noDelay: true }, accepted),
        )
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    if (secure !== undefined) void socket.remoteAddress // once read, Node keeps it: the record of a refused certificate needs it
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: tls.TLSSocket) => {
    const why = refusalOf(error, socket)
    if (why !== undefined) handlers.malformed(connectionOf(socket), NOTHING, new Malformed(why), undefined)
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

/** Undefined for a client that left. Node reports a refused certificate as ECONNRESET, too. */
function refusalOf(
  { code, message }: NodeJS.ErrnoException,
  { authorizationError: why }: tls.TLSSocket,
): string | undefined {
  if (why) return `the client's certificate is not accepted: ${String(why)}`
  return code === 'ECONNRESET' ? undefined : message
}

/** Node has destroyed the TLS socket; the TCP socket below it, which has no public name, still has the peer's address. */
const connectionOf = (socket: tls.TLSSocket): net.Socket =>
  '_parent' in socket && socket._parent instanceof net.Socket ? socket._parent : socket
