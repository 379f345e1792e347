import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { findOperation, type Match } from './api/operations.ts'
import { splitPrefix } from './api/version.ts'
import { routedPath } from './read-call.ts'
import { rawHeader } from './wire.ts'

/** The protocols that take a connection over. Anything else in `Upgrade` is an ordinary request (Apache's TLS/1.2). */
const TUNNELS = new Set(['tcp', 'websocket', 'h2c'])

/**
 * What a request wants to switch to; `hijack` when it takes the connection without asking. An operation that answers a
 * message is answered one whatever its client offers (Java's HttpClient offers h2c with every first call): switched, it
 * would pass by the translation of its answer.
 */
export function takeover(req: IncomingMessage): 'no' | 'hijack' | 'upgrade' {
  // Most calls are neither: `req.headers` is made when it is first looked at, so it is not.
  if (req.method !== 'POST' && rawHeader(req, 'upgrade') === undefined) return 'no'
  const upgrade = req.headers.upgrade?.toLowerCase()
  if (upgrade !== undefined && TUNNELS.has(upgrade)) return maySwitch(matchOf(req)) ? 'upgrade' : 'no'
  if (req.method !== 'POST' || req.headers['transfer-encoding'] !== undefined) return 'no'
  const operation = matchOf(req)?.operation.name
  return operation === 'ContainerAttach' || operation === 'ExecStart' ? 'hijack' : 'no'
}

/** What no table knows may be a takeover of later engines. Logs switch with the specification's profile. */
const maySwitch = (match: Match | undefined): boolean =>
  match === undefined || match.operation.response === 'hijack' || match.operation.name === 'ContainerLogs'

/** By the path that the router looks at; a path that cannot be read takes the ordinary road to its 400. */
function matchOf(req: IncomingMessage): Match | undefined {
  const path = routedPath(req.url ?? '/')
  return path === undefined ? undefined : findOperation(req.method ?? 'GET', splitPrefix(path).rest)
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
export function watchForTakeover(socket: Socket): void {
  const parser = (socket as Socket & { parser?: Parser }).parser
  if (parser === undefined) return
  const onIncoming = parser.onIncoming
  parser.onIncoming = function (this: Parser, req, keepAlive) {
    if (takeover(req) === 'no') return onIncoming.call(this, req, keepAlive)
    ;(req as IncomingMessage & { upgrade: boolean }).upgrade = true
    return 2
  }
}
