import type { Match } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import type { ClientRequest } from '../../http/client/request.ts'

/** Upgrade protocols that turn a connection into a tunnel. Other values are ordinary requests (Apache's TLS/1.2). */
const TUNNELS = new Set(['tcp', 'websocket', 'h2c'])

const REFUSED_BY_NAME: ReadonlySet<string> = new Set(['Session', 'Grpc'])

/**
 * Detects requests for a tunnel; `upgrade` is undefined for one without the header (clients up to 2016). An operation
 * with an ordinary response never becomes one, even if the client offers an upgrade (Java's HttpClient offers h2c with
 * every first call): a switched connection would bypass the translation of its response.
 */
export function hijackOf(request: ClientRequest, call: Call): { readonly upgrade: string | undefined } | undefined {
  const { match } = call
  const said = request.headers.get('upgrade')
  if (said === undefined && request.method !== 'POST') return undefined
  if (said !== undefined && TUNNELS.has(said.toLowerCase())) return maySwitch(match) ? { upgrade: said } : undefined
  // The engine refuses other protocols by name (api/server/router/session, grpc: "protocol x not supported").
  if (said !== undefined && REFUSED_BY_NAME.has(match?.operation.name ?? '')) return { upgrade: said }
  if (request.method !== 'POST' || request.framing.kind === 'chunked') return undefined
  const operation = match?.operation.name
  const needsNoHeader = operation === 'ContainerAttach' || operation === 'ExecStart' || isPodmansOwn(call)
  return needsNoHeader ? { upgrade: undefined } : undefined
}

/** `podman --remote exec` sends no `Upgrade`, and takes the connection over (pkg/bindings/containers/attach.go). */
const isPodmansOwn = ({ prefix, path }: Call): boolean =>
  prefix.kind === 'libpod' && /^\/libpod\/(?:containers\/[^/]+\/attach|exec\/[^/]+\/start)$/.test(path)

/** Unknown operations may be hijacks of later engines. Logs are one under the specification's profile. */
const maySwitch = (match: Match | undefined): boolean =>
  match === undefined || match.operation.response === 'hijack' || match.operation.name === 'ContainerLogs'
