import { changes, deviations, readings } from '../../../rules/index.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { errorText, ProxyError, renderError } from '../../api/errors.ts'
import { type JsonValue, writeJson } from '../../api/json/json.ts'
import { findOperation, isOperationName, type OperationName, operationNamed } from '../../api/operations.ts'
import { shapes } from '../../api/shapes/shapes.ts'
import {
  type ApiVersion,
  clampVersion,
  formatVersion,
  isOlder,
  LOWEST,
  parseVersion,
  splitPrefix,
} from '../../api/version.ts'
import { Headers } from '../../http/headers.ts'
import type { Exchange } from '../../translate/change.ts'
import { type Plan, Plans } from '../../translate/compile.ts'
import {
  Answer,
  type RequestMessage,
  type ResponseMessage,
  type StepContext,
  type TranslationPolicy,
} from '../../translate/message.ts'
import { searchWith } from '../../translate/query.ts'
import { emulationsOf } from '../explain/applies.ts'
import type { Json, Message, Translated, TranslateOptions } from './types.ts'

/** Invalid options of `translate`: an unknown operation or an invalid version. */
export class TranslateError extends Error {
  override readonly name = 'TranslateError'
}

/** The parsed options of one `translate` call. */
interface Task {
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

type Noted = Pick<Translated, 'changes' | 'notPossible'> & {
  readonly losses: { what: string; needs: string; change: string }[]
  readonly ignored: string[]
}

/** Plans are compiled once per set of options. */
const compiled = new Map<string, Plans>()

function plansFor(policy: TranslationPolicy): Plans {
  const key = `${policy.newerFields} ${policy.losses} ${policy.profile}`
  let plans = compiled.get(key)
  if (plans === undefined) {
    plans = new Plans({ changes, shapes, deviations, readings }, policy)
    compiled.set(key, plans)
  }
  return plans
}

/**
 * Translates one message between two API versions, without a bridge and without an engine: synchronous, no I/O.
 * Refusals are returned as `refused`, losses in `losses`; changes that need calls to the engine are listed in
 * `notPossible`. A response that depends on its request needs the request's `path` with its query. Throws
 * TranslateError for invalid options.
 */
export function translate(options: TranslateOptions, message: Message = {}): Translated {
  const task = readTask(options, message)
  const { operation, exchange, policy, direction } = task
  const plan = plansFor(policy).get(operation, exchange.client, exchange.target, exchange.highest)
  const noted: Noted = {
    changes: plan.changes,
    notPossible: emulationsOf(operation, exchange, direction),
    losses: [],
    ignored: [],
  }
  const unchanged = { ...blank(task), ...noted, ...structuredCloneOf(message) }
  try {
    const context = contextFor(task, noted)
    const done = direction === 'request' ? request(task, plan, message, context) : response(plan, message, context)
    return { ...blank(task), ...noted, ...done }
  } catch (cause) {
    if (cause instanceof ProxyError)
      return { ...unchanged, refused: { status: cause.status, code: cause.code, message: cause.message } }
    if (cause instanceof Answer)
      return { ...unchanged, refused: { status: cause.status, code: 'answered', message: cause.message } }
    throw cause
  }
}

function readTask(options: TranslateOptions, message: Message): Task {
  const { operation, params, wirePath, search } = whichOperation(options)
  const client = version('client', options.client)
  if (isOlder(client, LOWEST))
    throw new TranslateError(`there are rules from ${formatVersion(LOWEST)} on, not for ${options.client}`)
  const said = typeof options.engine === 'string' ? { highest: options.engine } : options.engine
  const highest = version('engine', said.highest)
  const lowest = said.lowest === undefined ? highest : version('engine.lowest', said.lowest)
  const target =
    options.target === undefined ? clampVersion(client, lowest, highest) : version('target', options.target)
  return {
    operation,
    params,
    wirePath,
    search: message.query ?? search,
    query: new URLSearchParams(message.query ?? search),
    exchange: { client, target, highest },
    engine: {
      highest,
      lowest,
      release: said.release ?? '',
      os: said.os ?? 'linux',
      arch: said.arch ?? 'amd64',
      product: said.product,
    },
    policy: {
      newerFields: options.newerFields ?? 'drop',
      losses: options.losses ?? 'warn',
      profile: options.profile ?? 'engine',
      announce: undefined,
    },
    direction: options.direction,
  }
}

function whichOperation({ operation, method, path }: TranslateOptions): {
  operation: OperationName
  params: Task['params']
  wirePath: string
  search: string
} {
  const [wire = ''] = (path ?? '').split('?', 1)
  const search = (path ?? '').slice(wire.length)
  const { rest } = splitPrefix(wire)
  const match =
    path === undefined ? undefined : findOperation((method ?? 'GET').toUpperCase(), decodeURIComponent(rest))
  const name = operation ?? match?.operation.name
  if (name === undefined || !isOperationName(name))
    throw new TranslateError(
      operation === undefined ? `no operation is ${method} ${path}` : `no operation is called ${operation}`,
    )
  return {
    operation: name,
    params: match?.params ?? {},
    wirePath: path === undefined ? operationNamed(name).path : rest,
    search,
  }
}

function version(what: string, text: string): ApiVersion {
  const parsed = parseVersion(text)
  if (parsed === undefined) throw new TranslateError(`${what}: ${JSON.stringify(text)} is no API version; write 1.44`)
  return parsed
}

const blank = ({ operation, exchange, wirePath, search }: Task) => ({
  operation,
  target: formatVersion(exchange.target),
  method: operationNamed(operation).method,
  path: `/v${formatVersion(exchange.target)}${wirePath}`,
  query: search.replace(/^\?/, ''),
  status: 200,
  headers: {},
  dropped: false,
})

const structuredCloneOf = ({ headers, status, body, text }: Message): Partial<Translated> => ({
  ...(headers === undefined ? {} : { headers }),
  ...(status === undefined ? {} : { status }),
  ...(body === undefined ? {} : { body }),
  ...(text === undefined ? {} : { text }),
})

function contextFor({ operation, params, query, exchange, engine, policy }: Task, noted: Noted): StepContext {
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

function request(
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
    ...(text === undefined ? {} : { text }),
  }
  for (const step of plan.request.steps) step(message, context)
  const changed = message.body ?? (plan.request.needsBody ? undefined : body)
  return {
    method: message.method,
    path: `/v${formatVersion(task.exchange.target)}${message.path}`,
    query: searchWith(task.search, message.query).replace(/^\?/, ''),
    headers: Object.fromEntries(message.headers.entries()),
    ...(changed === undefined ? {} : { body: changed as Json }),
    ...(message.text === undefined ? {} : { text: message.text }),
  }
}

function response(
  plan: Plan,
  { headers = {}, status = 200, body, text }: Message,
  context: StepContext,
): Partial<Translated> {
  const message: ResponseMessage = {
    status,
    headers: new Headers(Object.entries(headers)),
    body: body === undefined || status >= 400 ? undefined : copyOf(body),
    ...(text === undefined ? {} : { text }),
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
    ...(message.body === undefined ? {} : { body: copyOf(message.body as Json) as Json }),
    ...(message.text === undefined ? {} : { text: message.text }),
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
