import { findOperation, type Match } from '../../api/operations.ts'
import { routedPath } from '../../api/read-call.ts'
import { splitPrefix } from '../../api/version.ts'
import type { ClientRequest } from '../../http/client/request.ts'

/** The protocols that take a connection over. Anything else in `Upgrade` is an ordinary request (Apache's TLS/1.2). */
const TUNNELS = new Set(['tcp', 'websocket', 'h2c'])

/** What a request wants of its connection: `upgrade` undefined where it hijacks without asking (clients up to 2016). */
export interface Hijack {
  readonly upgrade: string | undefined
}

/**
 * Whether a request takes its connection over. An operation that answers a message is answered one whatever its client
 * offers (Java's HttpClient offers h2c with every first call): switched, it would pass by the translation of its answer.
 */
export function hijackOf(request: ClientRequest): Hijack | undefined {
  const said = request.field('upgrade')
  if (said === undefined && request.method !== 'POST') return undefined
  if (said !== undefined && TUNNELS.has(said.toLowerCase()))
    return maySwitch(matchOf(request)) ? { upgrade: said } : undefined
  if (request.method !== 'POST' || request.framing.kind === 'chunked') return undefined
  const operation = matchOf(request)?.operation.name
  return operation === 'ContainerAttach' || operation === 'ExecStart' ? { upgrade: undefined } : undefined
}

/** What no table knows may be a takeover of later engines. Logs switch with the specification's profile. */
const maySwitch = (match: Match | undefined): boolean =>
  match === undefined || match.operation.response === 'hijack' || match.operation.name === 'ContainerLogs'

/** By the path that the router looks at; a path that cannot be read takes the ordinary road to its 400. */
function matchOf({ method, target }: ClientRequest): Match | undefined {
  const path = routedPath(target)
  return path === undefined ? undefined : findOperation(method, splitPrefix(path).rest)
}
