import { changes, deviations } from '../../../rules/index.ts'
import { ProxyError } from '../../../src/api/errors.ts'
import { isObject, type JsonValue, parseJson, writeJson } from '../../../src/api/json/json.ts'
import { type OperationName, operationNamed } from '../../../src/api/operations.ts'
import { shapes } from '../../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../../src/api/version.ts'
import { Headers } from '../../../src/http/headers.ts'
import { Answer, type EmulationContext, type TranslationPolicy } from '../../../src/translate/message.ts'
import { Plans } from '../../../src/translate/plans.ts'
import { runWithoutEngine } from '../../../src/translate/run/steps.ts'
import { contextWith, linux } from '../step-context.ts'
import { versionsOf } from '../versions.ts'

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
export const plans = new Plans({ changes: [...changes, ...deviations], shapes }, policy)

/** A client, and an engine that speaks exactly one version or is asked at one. */
export interface Between {
  readonly operation: OperationName
  readonly client: number
  readonly engine: number
  /** The version that the bridge speaks to the engine; by default the engine's own. */
  readonly target?: number
}

const copy = (body: JsonValue): JsonValue => parseJson(writeJson(body))

function contextOf({ operation, client, engine }: Between, query: URLSearchParams): EmulationContext {
  const target = apiVersion(engine)
  return contextWith({
    ...{ operation, client: apiVersion(client), target, engine: linux(target), policy },
    call: { params: { name: 'c', id: 'e' }, query },
    lose: ({ what, onLoss }) => {
      if (onLoss === 'refuse') throw new ProxyError('loss', what)
    },
  })
}

/** The body of a successful answer as the client gets it; undefined if the client does not get it. */
export function answered(between: Between, body: JsonValue): JsonValue | undefined {
  const { operation, client, engine, target = engine } = between
  const { response } = plans.get(operation, versionsOf(client, target, engine))
  const context = contextOf(between, new URLSearchParams('size=1&digests=1'))
  const message = { status: 200, headers: new Headers(), body: copy(body) as JsonValue | undefined }
  return runWithoutEngine([...response.head, ...response.body], message, context) ? undefined : message.body
}

export interface Sent {
  readonly query: URLSearchParams
  readonly body: JsonValue | undefined
}

/** The request as the engine gets it; undefined if the call is refused, or answered by the bridge. */
export function asked(between: Between, query: string, body?: JsonValue): Sent | undefined {
  const { operation, client, engine } = between
  const { request } = plans.get(operation, versionsOf(client, engine))
  const { method, path } = operationNamed(operation)
  const search = new URLSearchParams(query)
  const message = {
    method,
    path,
    params: {},
    query: search,
    headers: new Headers(),
    body: body === undefined ? undefined : copy(body),
  }
  try {
    runWithoutEngine(request.steps, message, contextOf(between, new URLSearchParams(query)))
  } catch (cause) {
    if (cause instanceof ProxyError || cause instanceof Answer) return undefined
    throw cause
  }
  return { query: message.query, body: message.body }
}

export const kind = (value: JsonValue | undefined): string => {
  if (value === undefined) return 'absent'
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  return value === null ? 'null' : typeof value === 'object' ? 'number' : typeof value
}
