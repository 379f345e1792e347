import type { Call } from '../api/read-call.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { Entry } from './entry/entry.ts'
import type { CallObserver } from './observer.ts'

/** A call as an observer knows it at first. */
export interface Watched {
  readonly call: Call
  readonly entry: Entry
  readonly request: ClientRequest
}

/**
 * Called once per call, when its plan is known; for a call that was refused before, when it ends. Returns undefined to
 * ignore the call.
 */
export type Observer = (watched: Watched) => CallObserver | undefined
