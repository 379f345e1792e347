import { type ErrorCode, ProxyError, renderError } from '../../api/errors.ts'
import { writeJson } from '../../api/json/json.ts'
import { Redirect } from '../../api/read-call.ts'
import { formatVersion, offered } from '../../api/version.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import { within } from '../../config/within.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { Headers } from '../../http/headers.ts'
import { Answer, HeldAnswer } from '../../translate/message.ts'
import { type Finished, send, sendHead, showFinished, withLength } from '../engine-side/reply.ts'
import type { CallState } from '../steps/call-state.ts'

/** Codes of an engine that cannot be reached. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['engine-unreachable', 'engine-unknown'])

/** A failed connect makes watchers wait; after an error fluent-bit's in_docker_events asks again at once, 1,800 times a second. */
const WATCHERS_WAIT_MS = 1000

/** Sends a local response: an error, a redirect, or an emulation's result. Never contains a stack trace. */
export async function answerLocally(cause: unknown, response: ClientResponse, state: CallState): Promise<void> {
  const { entry, observer } = state
  if (cause instanceof HeldAnswer) return answerHeld(cause, response, state)
  if (cause instanceof ProxyError && AWAY.has(cause.code) && entry.operation === 'SystemEvents') {
    entry.timing.waitForEngine()
    const { promise: left, resolve } = Promise.withResolvers<void>()
    response.onGone(resolve)
    await within(WATCHERS_WAIT_MS, left, () => undefined)
    entry.timing.engineResponded()
  }
  if (response.headSent || response.gone) {
    if (cause instanceof ProxyError) entry.setError(cause.code, cause.message)
    if (cause instanceof ProxyError && cause.code === 'engine-broke-off') entry.endedBy ??= 'engine'
    response.cut()
    return
  }
  const finished = localResponse(cause, state)
  showFinished({ entry, observer }, finished)
  send(response, finished)
}

/** The bridge's own response to a call that no engine responds to, in the form of the client's version. */
function localResponse(cause: unknown, { core, form, entry }: CallState): Finished {
  if (cause instanceof Redirect) return withLength(301, Headers.fromRaw(['Location', cause.location]), Buffer.alloc(0))
  if (cause instanceof Answer) return answered(cause)
  if (!(cause instanceof ProxyError))
    core.log.error({ err: withoutSecrets(cause, entry), auditId: entry.id }, 'internal error in a call')
  const refusal =
    cause instanceof ProxyError
      ? cause
      : new ProxyError('internal', 'internal error; see the enginebridge log', { cause })
  entry.setError(refusal.code, refusal.message)
  const rendered = renderError(refusal.message, form)
  const headers = new Headers(Object.entries(rendered.headers))
  headers.set('Enginebridge-Error', refusal.code)
  if (refusal.code === 'busy' || refusal.code === 'too-many-requests') headers.set('Retry-After', '1')
  const { announce } = core.policy
  const known = core.discovery.lastKnown?.highest
  const highest = known === undefined ? announce : offered(announce, known)
  if (highest !== undefined) headers.set('Api-Version', formatVersion(highest))
  return withLength(refusal.status, headers, Buffer.from(rendered.body))
}

function answered({ status, body, headers: said }: Answer): Finished {
  const headers = new Headers(Object.entries(said))
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  return withLength(status, headers, Buffer.from(body === undefined ? '' : `${writeJson(body)}\n`))
}

/** Error messages quote the text that could not be parsed, which may hold secrets. */
function withoutSecrets(cause: unknown, entry: Entry): object {
  const { name, message, stack } = cause instanceof Error ? cause : new Error(String(cause))
  return { type: name, message: entry.clean(message), stack: entry.clean(stack ?? '') }
}

/** Sends a complete response whose head is sent before its body is known. */
async function answerHeld(
  { later, abandon }: HeldAnswer,
  response: ClientResponse,
  { entry, observer }: CallState,
): Promise<void> {
  const { promise: left, resolve } = Promise.withResolvers<undefined>()
  const leave = (): void => {
    entry.endedBy ??= 'client'
    abandon()
    resolve(undefined)
  }
  response.onGone(leave)
  const headers = Headers.fromRaw(['Content-Type', 'application/json'])
  sendHead({ clientResponse: response, entry, observer }, { status: 200, headers })
  response.flush()
  // Engines end the wait of a TCP client that ends its side.
  response.onHalfClose(() => {
    leave()
    response.cut()
  })
  try {
    const body = await Promise.race([later, left])
    if (body === undefined) return
    const bytes = Buffer.from(`${writeJson(body)}\n`)
    entry.bytesOut += bytes.length
    observer?.body('clientResponse', bytes)
    response.end(bytes)
  } catch (cause) {
    if (cause instanceof ProxyError) entry.setError(cause.code, cause.message)
    response.cut()
  }
}
