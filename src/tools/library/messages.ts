import { errorText, renderError } from '../../api/errors.ts'
import { isObject, type Json, type JsonValue, mapMembers, writeJson } from '../../api/json/json.ts'
import { defined } from '../../config/defined.ts'
import { Headers } from '../../http/headers.ts'
import type { Plan } from '../../translate/compile.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../translate/message.ts'
import { searchWith } from '../../translate/query.ts'
import { runWithoutEngine } from '../../translate/run/steps.ts'
import type { Message, Translated } from './types.ts'

/** A copy without undefined members. Numbers kept as text are frozen objects that structuredClone cannot copy. */
function copyOf(body: Json): JsonValue {
  if (Array.isArray(body)) return body.map(copyOf)
  return isObject(body) ? mapMembers(body, (value) => copyOf(value as Json)) : (body as JsonValue)
}

const headersOf = ({ headers }: { readonly headers: Headers }): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.entries())

/** The translated parts of a request. `path`: without prefix; `search`: the client's. */
export function translateRequest(
  plan: Plan,
  { method, path, search }: { readonly method: string; readonly path: string; readonly search: string },
  { headers = {}, body, text }: Message,
  context: StepContext,
): Partial<Translated> {
  const { needsBody, steps } = plan.request
  const message: RequestMessage = {
    ...{ method, path, params: context.call.params, query: new URLSearchParams(search) },
    headers: new Headers(Object.entries(headers)),
    body: body === undefined || !needsBody ? undefined : copyOf(body),
    ...defined({ text }),
  }
  runWithoutEngine(steps, message, context)
  return {
    method: message.method,
    path: message.path,
    query: searchWith(search, message.query).replace(/^\?/, ''),
    headers: headersOf(message),
    ...defined({ body: (message.body ?? (needsBody ? undefined : body)) as Json | undefined, text: message.text }),
  }
}

export function translateResponse(
  plan: Plan,
  { headers = {}, status = 200, body, text }: Message,
  context: StepContext,
): Partial<Translated> {
  const isError = status >= 400
  const message: ResponseMessage = {
    status,
    headers: new Headers(Object.entries(headers)),
    body: body === undefined || isError ? undefined : copyOf(body),
    ...defined({ text }),
  }
  if (isError) return errorResponse(plan, message, body, context)
  const dropped = runWithoutEngine([...plan.response.head, ...plan.response.body], message, context)
  const changed = message.body === undefined ? undefined : (copyOf(message.body as Json) as Json)
  const { status: now, text: words } = message
  return { dropped, status: now, headers: headersOf(message), ...defined({ body: changed, text: words }) }
}

function errorResponse(
  plan: Plan,
  message: ResponseMessage,
  body: Json | undefined,
  context: StepContext,
): Partial<Translated> {
  const type = message.headers.get('Content-Type') ?? (body === undefined ? 'text/plain' : 'application/json')
  message.text = errorText(body === undefined ? (message.text ?? '') : writeJson(body), type)
  message.form = type.startsWith('application/json') ? 'json' : 'text'
  runWithoutEngine(plan.response.errors, message, context)
  const made = message.body as Json | undefined
  if (message.status < 400) return { status: message.status, headers: headersOf(message), ...defined({ body: made }) }
  const rendered = renderError(message.text ?? '', message.form)
  message.headers.delete('Content-Length')
  for (const [name, value] of Object.entries(rendered.headers)) message.headers.set(name, value)
  const words = message.form === 'json' ? { body: JSON.parse(rendered.body) as Json } : {}
  return { status: message.status, headers: headersOf(message), text: rendered.body, ...words }
}
