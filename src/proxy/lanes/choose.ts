import type { Match, OperationName } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import { isFalse, isTrue } from '../../translate/ops.ts'
import type { AnyPlan } from '../../translate/plans.ts'

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

export type LaneName = 'pass' | 'body' | 'records'

/** Selects the cheapest lane that the plan of an ordinary call allows. */
export function laneFor(call: Call, plan: AnyPlan, recordStreams: 'translate' | 'untouched'): LaneName {
  const operation = call.match?.operation
  if (operation?.response === 'records' && !plan.response.holdsHead) {
    const { body, recordsOnceReplaced } = plan.response
    const translates = body.length > 0 || recordsOnceReplaced !== undefined
    if (translates && !(recordStreams === 'untouched' && isEndless(call))) return 'records'
    return plan.request.needsBody ? 'body' : 'pass'
  }
  const { elementwise, holdsHead } = plan.response
  if (operation?.response === 'progress' && (elementwise || (isLoudLoad(call) && !holdsHead))) return 'records'
  return plan.request.needsBody || plan.request.callsEngine || plan.response.needsBody ? 'body' : 'pass'
}

/** Events and continuous stats. A wait and a single stats reading are record streams too, but of one record. */
function isEndless({ match, search }: Call): boolean {
  const operation = match?.operation.name
  if (operation === 'SystemEvents') return true
  return operation === 'ContainerStats' && !isSingleReading(operation, new URLSearchParams(search))
}

/** A load that shows its progress; a quiet one is answered as a whole to clients up to 1.24 (rules, 1.25/image-load-records). */
const isLoudLoad = ({ match, search }: Call): boolean =>
  match?.operation.name === 'ImageLoad' && isFalse(new URLSearchParams(search).get('quiet') ?? '1')

/** The query asks for a single stats reading (parsed as httputils.BoolValueOrDefault, moby). */
export function isSingleReading(operation: OperationName | undefined, query: URLSearchParams): boolean {
  const stream = operation === 'ContainerStats' ? query.get('stream') : null
  return stream !== null && !isTrue(stream)
}
