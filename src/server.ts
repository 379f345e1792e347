import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ParserError, Unread } from './audit/unread.ts'
import { refuseGarbage } from './garbage.ts'
import { type Journey, type Listener, serve, type Way } from './serve.ts'
import { takeover, watchForTakeover } from './takeover.ts'
import { Turns } from './turns.ts'
import { MOST_HEADERS } from './wire.ts'

/** How often at most late clients are looked for. */
const LOOK_MS = 5_000

export interface Served {
  readonly server: http.Server | https.Server
  readonly sockets: Set<Duplex>
}

/** The HTTP server of one listener, over TLS where certificates are given. */
export function createServer(journey: Journey, listener: Listener, secure?: https.ServerOptions): Served {
  const { limits } = journey
  // What fails after the last word (a sink that throws) must end this connection, not the program.
  const turns = new Turns((req, err) => {
    journey.log.error({ err }, 'a call could not be brought to its end')
    req.socket.destroy()
  })
  const unread = new Unread(journey, listener.name)
  const options: http.ServerOptions = {
    // By default Go's, because clients built for Go servers send long ones (dockerode repeats a create body in its query).
    maxHeaderSize: limits.header,
    headersTimeout: limits.headerMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, Math.max(50, limits.headerMs / 4)),
    optimizeEmptyRequests: true, // no stream is made to end for a body that does not come: 0.94 of a small call (measured)
    requestTimeout: 0, // a build or a load uploads for as long as it takes
    keepAliveTimeout: limits.idleMs, // long: pooled clients must not race it
    shouldUpgradeCallback: (req) => takeover(req) !== 'no',
  }
  const server =
    secure === undefined
      ? http.createServer(options)
      : // Hijacked connections are half-closed over TLS too, which its servers do not allow by themselves.
        https.createServer({ ...options, ...secure, allowHalfOpen: true } as https.ServerOptions)
  const sockets = new Set<Duplex>()
  server.timeout = 0
  server.maxHeadersCount = MOST_HEADERS
  // Over TLS the parser belongs to the decrypted side; a connection in its handshake has to be drained as well.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on(secure === undefined ? 'connection' : 'secureConnection', watchForTakeover)
  const journeyOf = (req: http.IncomingMessage, way: Way): Promise<void> => serve(journey, req, way, listener)
  const answer: http.RequestListener = (req, res) => {
    res.sendDate = false // the engine's own Date is passed on
    turns.take(req.socket, req, () => journeyOf(req, { kind: 'http', res }))
  }
  server.on('request', answer)
  server.on('checkContinue', answer)
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy())
    const upgrade = takeover(req) === 'upgrade' ? req.headers.upgrade : undefined
    turns.take(socket, req, () => {
      ;(socket as Socket).setTimeout(0) // the end of a call before it may have set that of idle connections
      return journeyOf(req, { kind: 'raw', socket, head, upgrade })
    })
  })
  // A proxy for the whole world is what we are not.
  server.on('connect', ({ url }, socket) => {
    const rawPacket = Buffer.from(`CONNECT ${url} HTTP/1.1\r\n`)
    refuseGarbage(Object.assign(new Error('CONNECT is not served'), { rawPacket }), socket, turns, unread)
  })
  server.on('clientError', (error: ParserError, socket) => refuseGarbage(error, socket, turns, unread))
  return { server, sockets }
}
