import type { OperationName } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import { isFalse, isTrue } from '../../translate/ops.ts'
import type { AnyPlan } from '../../translate/plans.ts'

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
