import type { OperationName } from '../api/operations.ts'
import type { Call } from '../api/read-call.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { AnyPlan } from '../translate/compile.ts'
import type { CallObserver } from './observer.ts'
import type { Entry } from './record/entry.ts'

/** What an observer decides by: all that is known before anything is forwarded. */
export interface Watched {
  readonly call: Call
  readonly operation: OperationName | undefined
  readonly plan: AnyPlan
  readonly lane: string
  readonly entry: Entry
  readonly request: ClientRequest
}

/** Asked once a call, after its plan is known. Undefined: it does not want to see this call. */
export type Observer = (watched: Watched) => CallObserver | undefined
