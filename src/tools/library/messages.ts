import type { EngineFacts } from '../../api/engine-facts.ts'
import { errorText, ProxyError, renderError } from '../../api/errors.ts'
import { type JsonValue, writeJson } from '../../api/json/json.ts'
import { type OperationName, operationNamed } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import { defined } from '../../config/defined.ts'
import { Headers } from '../../http/headers.ts'
import type { Exchange } from '../../translate/change.ts'
import type { Plan } from '../../translate/compile.ts'
import type { RequestMessage, ResponseMessage, StepContext, TranslationPolicy } from '../../translate/message.ts'
import { searchWith } from '../../translate/query.ts'
import type { Json, Message, Translated } from './types.ts'

/** The parsed options of one `translate` call. */
export interface Task {
  readonly operation: OperationName
  readonly params: Readonly<Record<string, string>>
  readonly wirePath: string
  /** As given, with or without its question mark. */
  readonly search: string
  readonly query: URLSearchParams
  readonly exchange: Exchange
  readonly engine: EngineFacts
  readonly policy: TranslationPolicy
  readonly direction: 'request' | 'response'
}

export type Noted = Pick<Translated, 'changes' | 'notPossible'> & {
  readonly losses: { what: string; needs: string; change: string }[]
  readonly ignored: string[]
}

export function contextFor({ operation, params, query, exchange, engine, policy }: Task, noted: Noted): StepContext {
  return {
    operation,
    client: exchange.client,
    target: exchange.target,
    engine,
    policy,
    call: { params, query: new URLSearchParams(query) },
    memory: new Map(),
    lose: ({ what, needs, change, onLoss }) => {
      if (onLoss === 'refuse' || (onLoss === 'warn' && policy.losses === 'strict')) {
        const reason = `it needs API ${formatVersion(needs)} and the engine has API ${formatVersion(exchange.highest)}`
        throw new ProxyError('loss', `${what} is not supported by the engine: ${reason}`)
      }
      noted.losses.push({ what, needs: formatVersion(needs), change })
    },
    ignore: (what) => {
      noted.ignored.push(what)
    },
  }
}

/** A copy without undefined members. Numbers kept as text are frozen objects that structuredClone cannot copy. */
function copyOf(body: Json): JsonValue {
  if (Array.isArray(body)) return body.map(copyOf)
  if (typeof body !== 'object' || body === null || JSON.isRawJSON(body)) return body as JsonValue
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, copyOf(value)]])),
  )
}

export function translateRequest(
  task: Task,
  plan: Plan,
  { headers = {}, body, text }: Message,
  context: StepContext,
): Partial<Translated> {
  const message: RequestMessage = {
    method: operationNamed(task.operation).method,
    path: task.wirePath,
    params: task.params,
    query: task.query,
    headers: new Headers(Object.entries(headers)),
    body: body === undefined || !plan.request.needsBody ? undefined : copyOf(body),
    ...defined({ text }),
  }
  for (const step of plan.request.steps) step(message, context)
  const changed = message.body ?? (plan.request.needsBody ? undefined : body)
  return {
    method: message.method,
    path: `/v${formatVersion(task.exchange.target)}${message.path}`,
    query: searchWith(task.search, message.query).replace(/^\?/, ''),
    headers: Object.fromEntries(message.headers.entries()),
    ...defined({ body: changed as Json | undefined, text: message.text }),
  }
}

export function translateResponse(
  plan: Plan,
  { headers = {}, status = 200, body, text }: Message,
  context: StepContext,
): Partial<Translated> {
  const message: ResponseMessage = {
    status,
    headers: new Headers(Object.entries(headers)),
    body: body === undefined || status >= 400 ? undefined : copyOf(body),
    ...defined({ text }),
  }
  if (status >= 400) return errorResponse(plan, message, body, context)
  let dropped = false
  for (const step of [...plan.response.head, ...plan.response.body]) {
    dropped = step(message, context) === 'drop'
    if (dropped) break
  }
  return {
    dropped,
    status: message.status,
    headers: Object.fromEntries(message.headers.entries()),
    ...defined({ body: message.body === undefined ? undefined : (copyOf(message.body as Json) as Json) }),
    ...defined({ text: message.text }),
  }
}

function errorResponse(
  plan: Plan,
  message: ResponseMessage,
  body: Json | undefined,
  context: StepContext,
): Partial<Translated> {
  const type = message.headers.get('Content-Type') ?? (body === undefined ? 'text/plain' : 'application/json')
  message.text = errorText(body === undefined ? (message.text ?? '') : writeJson(copyOf(body)), type)
  message.form = type.startsWith('application/json') ? 'json' : 'text'
  for (const step of plan.response.errors) step(message, context)
  const rendered = renderError(message.text ?? '', message.form)
  message.headers.delete('Content-Length')
  for (const [name, value] of Object.entries(rendered.headers)) message.headers.set(name, value)
  const { status } = message
  const words = message.form === 'json' ? { body: JSON.parse(rendered.body) as Json } : {}
  return { status, headers: Object.fromEntries(message.headers.entries()), text: rendered.body, ...words }
}
