import type { ErrorForm } from '../../api/errors.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver } from '../../audit/observer.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { Journey } from '../journey.ts'

/** State of a call when it ends. */
export interface CallState {
  /** The bridge as presented to this client. */
  journey: Journey
  form: ErrorForm
  entry: Entry | undefined
  observer: CallObserver | undefined
  /** The observers have been asked. */
  observed: boolean
  /** Unregisters the call from its container. */
  leave: (() => void) | undefined
}

export const newState = (journey: Journey): CallState => ({
  ...{ journey, form: 'json', entry: undefined, observer: undefined, observed: false, leave: undefined },
})

/**
 * If anything fails here, the call still counts as ended (`--max-calls` and shutdown wait for that) and is recorded.
 */
export function end({ journey, entry, observer, observed, leave }: CallState, request: ClientRequest): void {
  try {
    leave?.()
    observer?.over()
    if (!observed && entry !== undefined) journey.inspector?.unobserved(entry, request)
  } finally {
    journey.metrics.ended(entry?.summary)
    entry?.close()?.catch((err) => journey.log.error({ err }, 'cannot write an audit record'))
  }
}
