import { asProxyError, type ErrorForm, ProxyError } from '../../api/errors.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver } from '../../audit/observer.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { HeldAnswer } from '../../translate/message.ts'
import type { Journey } from '../journey.ts'
import { answerHeld } from '../local/held-answer.ts'
import { localResponse } from '../local/local-response.ts'
import { reasonFor, showFinished } from '../local/reply.ts'

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

/** Sends a local response: an error, a redirect, or an emulation's result. Never contains a stack trace. */
export async function answerLocally(
  thrown: unknown,
  response: ClientResponse,
  { journey, form, entry, observer }: CallState,
): Promise<void> {
  if (thrown instanceof HeldAnswer && entry !== undefined) return answerHeld(thrown, response, entry, observer)
  const cause = asProxyError(thrown)
  if (response.headSent || response.gone) {
    if (cause instanceof ProxyError) entry?.failed(cause.code, cause.message)
    response.cut()
    return
  }
  const finished = localResponse(journey, cause, form, entry)
  if (entry !== undefined) showFinished({ entry, observer }, finished)
  response.head(finished.status, reasonFor(finished.status, 0, ''), finished.headers.flat)
  response.end(finished.body)
}

/**
 * If anything fails here, the call still counts as ended (`--max-calls` and shutdown wait for that) and is recorded.
 */
export function end({ journey, entry, observer, observed, leave }: CallState, request: ClientRequest): void {
  try {
    leave?.()
    observer?.over()
    if (!observed && entry !== undefined) journey.unobserved?.(entry, request)
  } finally {
    journey.metrics.ended(entry?.summary)
    entry?.close()?.catch((err) => journey.log.error({ err }, 'cannot write an audit record'))
  }
}
