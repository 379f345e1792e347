import type { Call } from '../read-call.ts'
import { isTrue } from '../translate/ops.ts'
import type { AnyPlan } from './carriage.ts'

/** `relay` and `bytes` both pass bytes as they come, by another client each; see bytes.ts for why there are two. */
export type LaneName = 'body' | 'records' | 'bytes' | 'relay' | 'tunnel'

/** How a call is carried: the least that its plan allows. A body that is looked at is read whole. */
export function laneFor(
  call: Call,
  plan: AnyPlan,
  way: 'http' | 'raw',
  recordStreams: 'translate' | 'untouched',
  checksBody = false,
): LaneName {
  if (way === 'raw') return 'tunnel'
  const operation = call.match?.operation
  // An emulation needs the whole answer before the head may go out.
  if (operation?.response === 'records' && plan.response.emulations.length === 0) {
    const { body, recordsOnceAliased } = plan.response
    const looks = body.length > 0 || recordsOnceAliased !== undefined
    if (looks && !(recordStreams === 'untouched' && isEndless(call))) return 'records'
    return plan.request.needsBody ? 'body' : 'relay'
  }
  if (plan.request.needsBody || plan.request.emulations.length > 0) return 'body'
  if (plan.response.needsBody || plan.response.emulations.length > 0) return 'body'
  // Downloads cost half as much through undici's pool as through http-proxy (bench/), uploads the same through either;
  // http-proxy keeps those, and what no table knows.
  const uploads = operation === undefined || operation.request === 'stream'
  // http-proxy frames a DELETE without a length as an empty one and then sends its body all the same
  // (passes/web-incoming.js, deleteLength): that would be the engine's next request.
  return uploads && !checksBody && call.method !== 'DELETE' ? 'bytes' : 'relay'
}

/** Events, and stats that go on: a wait and a single reading are records too, but answers of one. */
function isEndless({ match, search }: Call): boolean {
  if (match?.operation.name === 'SystemEvents') return true
  const stream = new URLSearchParams(search).get('stream')
  return match?.operation.name === 'ContainerStats' && (stream === null || isTrue(stream))
}
