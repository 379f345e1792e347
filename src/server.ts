import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findOperation } from './api/operations.ts'
import { splitPrefix } from './api/version.ts'
import { type Journey, type Listener, serve } from './serve.ts'

/** Go's default, because clients built for Go servers send long ones (dockerode repeats a create body in its query). */
const MAX_HEADER_BYTES = 1 << 20
const HEADERS_TIMEOUT_MS = 60_000
/** Pooled clients must not race a server that closes idle connections; engines never do. */
const KEEP_ALIVE_TIMEOUT_MS = 3_600_000

/** The protocols that take a connection over. Anything else in `Upgrade` is an ordinary request (Apache's TLS/1.2). */
const TUNNELS = new Set(['tcp', 'websocket', 'h2c'])

/**
 * What a request wants to switch to; `hijack` when it takes the connection without asking. The path is looked at as
 * the router does; a path that cannot be decoded takes the ordinary road to its 400.
 */
function takeover(req: IncomingMessage): 'no' | 'hijack' | 'upgrade' {
  // Most calls are neither: `req.headers` is made when it is first looked at, so it is not.
  if (req.method !== 'POST' && !mentionsUpgrade(req.rawHeaders)) return 'no'
  const upgrade = req.headers.upgrade?.toLowerCase()
  if (upgrade !== undefined && TUNNELS.has(upgrade)) return 'upgrade'
  if (req.method !== 'POST' || req.headers['transfer-encoding'] !== undefined) return 'no'
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  const operation = findOperation('POST', splitPrefix(path).rest)?.operation.name
  return operation === 'ContainerAttach' || operation === 'ExecStart' ? 'hijack' : 'no'
}

const UPGRADE = 'upgrade'

function mentionsUpgrade(raw: readonly string[]): boolean {
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]
    if (name?.length === UPGRADE.length && name.toLowerCase() === UPGRADE) return true
  }
  return false
}

interface Parser {
  onIncoming: (req: IncomingMessage, keepAlive: boolean) => number
}

/**
 * Takes requests that hijack the connection off the HTTP parser before it goes on: answering 2 from its `onIncoming`
 * means "no body, and what follows is another protocol" (node: lib/_http_server.js, parserOnIncoming; llhttp's
 * on_headers_complete). Node then emits `upgrade` with everything after the head untouched, with or without an Upgrade
 * header, the same on every Node line. Without it, raw bytes after the POST are parsed as the next request.
 */
function watchForTakeover(socket: Socket): void {
  const parser = (socket as Socket & { parser?: Parser }).parser
  if (parser === undefined) return
  const onIncoming = parser.onIncoming
  parser.onIncoming = function (this: Parser, req, keepAlive) {
    if (takeover(req) === 'no') return onIncoming.call(this, req, keepAlive)
    ;(req as IncomingMessage & { upgrade: boolean }).upgrade = true
    return 2
  }
}

export interface Served {
  readonly server: http.Server | https.Server
  readonly sockets: Set<Duplex>
}

/** The HTTP server of one listener, over TLS where certificates are given. */
export function createServer(journey: Journey, listener: Listener, secure?: https.ServerOptions): Served {
  const options: http.ServerOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0, // a build or a load uploads for as long as it takes
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    shouldUpgradeCallback: (req) => takeover(req) !== 'no',
  }
  const server =
    secure === undefined
      ? http.createServer(options)
      : // Hijacked connections are half-closed over TLS too, which its servers do not allow by themselves.
        https.createServer({ ...options, ...secure, allowHalfOpen: true } as https.ServerOptions)
  const sockets = new Set<Duplex>()
  server.timeout = 0
  // Over TLS the parser belongs to the decrypted side; a connection in its handshake has to be drained as well.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on(secure === undefined ? 'connection' : 'secureConnection', watchForTakeover)
  server.on('request', (req, res) => {
    res.sendDate = false // the engine's own Date is passed on
    void serve(journey, req, { kind: 'http', res }, listener)
  })
  server.on('checkContinue', (req, res) => {
    res.sendDate = false
    void serve(journey, req, { kind: 'http', res }, listener)
  })
  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy())
    const upgrade = takeover(req) === 'upgrade' ? req.headers.upgrade : undefined
    void serve(journey, req, { kind: 'raw', socket, head, upgrade }, listener)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseGarbage(error, socket))
  return { server, sockets }
}

/** What is no HTTP gets what Go's server says to it (net/http server.go), and the connection closes. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
}
