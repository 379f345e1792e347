import net from 'node:net'
import tls from 'node:tls'
import { ClientConnection, type Served } from './client/connection.ts'
import { Malformed } from './message/malformed.ts'

/** The server of one address, with its open connections. */
export interface Listener {
  readonly server: net.Server | tls.Server
  /** Every open socket, those in a TLS handshake and those taken over included. */
  readonly sockets: ReadonlySet<net.Socket>
  /** Stops accepting; connections without a call are closed, the others when theirs is over. */
  drain(): void
}

const NOTHING = Buffer.alloc(0)

/** Serves HTTP/1.1; over TLS where certificates are given. It does not listen yet. */
export function createListener(served: Served, secure?: tls.TlsOptions): Listener {
  const sockets = new Set<net.Socket>()
  const connections = new Set<ClientConnection>()
  const accepted = (socket: net.Socket): void => {
    const connection = new ClientConnection(socket, served)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }
  const server =
    secure === undefined
      ? net.createServer({ allowHalfOpen: true, noDelay: true }, accepted)
      : tls.createServer({ ...secure, allowHalfOpen: true, noDelay: true }, accepted)
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: tls.TLSSocket) => {
    if (error.code !== 'ECONNRESET') served.malformed(socket, NOTHING, new Malformed(error.message), undefined)
    socket.destroy()
  })
  return {
    server,
    sockets,
    drain: () => {
      if (server.listening) server.close()
      for (const connection of connections) connection.drain()
    },
  }
}
