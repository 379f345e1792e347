import { asProxyError, type ErrorForm, ProxyError, renderError } from '../../api/errors.ts'
import { writeJson } from '../../api/json/json.ts'
import { Redirect } from '../../api/read-call.ts'
import { formatVersion, offered } from '../../api/version.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import { scrub } from '../../audit/redact/text.ts'
import type { Discovery } from '../../engine/discovery.ts'
import { Headers } from '../../http/headers.ts'
import { Answer, type TranslationPolicy } from '../../translate/message.ts'
import type { Finished } from './reply.ts'

/** Parts of the bridge that local responses use. */
interface Surroundings {
  readonly discovery: Pick<Discovery, 'lastKnown'>
  readonly policy: Pick<TranslationPolicy, 'announce'>
  readonly log: { error(facts: object, message: string): void }
}

/** Error messages quote the text that could not be parsed, which may hold secrets. */
function withoutSecrets(cause: unknown, entry: Entry | undefined): object {
  const { name, message, stack } = cause instanceof Error ? cause : new Error(String(cause))
  const clean = (text: string): string => entry?.clean(text) ?? scrub(text)
  return { type: name, message: clean(message), stack: clean(stack ?? '') }
}

function answered(answer: Answer): Finished {
  const body = Buffer.from(answer.body === undefined ? '' : `${writeJson(answer.body)}\n`)
  const headers = new Headers(Object.entries(answer.headers))
  if (body.length > 0) headers.set('Content-Type', 'application/json')
  if (answer.status !== 204 && answer.status !== 304) headers.set('Content-Length', String(body.length))
  return { status: answer.status, headers, body }
}

/** The bridge's own response to a call that no engine responds to, in the form of the client's version. */
export function localResponse(
  { discovery, policy, log }: Surroundings,
  thrown: unknown,
  form: ErrorForm,
  entry: Entry | undefined,
): Finished {
  const cause = asProxyError(thrown)
  if (cause instanceof Redirect)
    return {
      status: 301,
      headers: Headers.fromRaw(['Location', cause.location, 'Content-Length', '0']),
      body: Buffer.alloc(0),
    }
  if (cause instanceof Answer) return answered(cause)
  const refusal =
    cause instanceof ProxyError
      ? cause
      : new ProxyError('internal', 'internal error; see the enginebridge log', { cause })
  if (!(cause instanceof ProxyError))
    log.error({ err: withoutSecrets(cause, entry), auditId: entry?.id }, 'internal error in a call')
  entry?.failed(refusal.code, refusal.message)
  const rendered = renderError(refusal.message, form)
  const body = Buffer.from(rendered.body)
  const headers = new Headers(Object.entries(rendered.headers))
  headers.set('Enginebridge-Error', refusal.code)
  if (refusal.code === 'busy' || refusal.code === 'too-many-requests') headers.set('Retry-After', '1')
  const known = discovery.lastKnown?.highest
  const highest = known === undefined ? policy.announce : offered(policy.announce, known)
  if (highest !== undefined) headers.set('Api-Version', formatVersion(highest))
  headers.set('Content-Length', String(body.length))
  return { status: refusal.status, headers, body }
}
