import { readings } from '../../rules/index.ts'
import { type ErrorCode, ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import { findOperation, operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { type ApiVersion, apiVersion, versionOf } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { BoundChange, Example, ExamplePart } from '../../src/translate/change.ts'
import { compile } from '../../src/translate/compile.ts'
import {
  Answer,
  type EmulationContext,
  HeldAnswer,
  type Loss,
  type RequestMessage,
  type ResponseMessage,
  type TranslationPolicy,
} from '../../src/translate/message.ts'
import { contextWith, linux } from './step-context.ts'

/** The result of an example: the parts that it names, or the way it ended. */
export interface Outcome {
  readonly part: ExamplePart | 'dropped' | { refused: string } | { answered: number }
  readonly losses: readonly string[]
  readonly ignored: readonly string[]
  /** The further engine calls. */
  readonly calls: readonly string[]
  /** The code of a refusal. */
  readonly code?: ErrorCode
}

/**
 * Runs one example with the plan of its change or deviation alone; with `without`, it shows the result of the example
 * if the rule is missing.
 */
export async function runExample(
  change: BoundChange,
  example: Example,
  { without = false }: { readonly without?: boolean } = {},
): Promise<Outcome> {
  const versions = versionsOf(change, example)
  const policy: TranslationPolicy = {
    newerFields: 'drop',
    losses: 'warn',
    profile: example.profile ?? (change.last !== undefined ? 'spec' : 'engine'),
    announce: undefined,
  }
  const exchange = { client: versions.client, target: versions.target, highest: versions.engine, podman: change.podman }
  const ops = change.ops.filter((op) => example.of === undefined || op === example.of)
  const changes = without ? [] : [{ ...change, ops }]
  const plan = compile({ changes, shapes, readings }, example.on, exchange, policy)
  if (plan.changes.length === 0 && !without)
    throw new Error(`${change.id}: not in force between ${JSON.stringify(exchange)}`)
  const losses: Loss[] = []
  const ignored: string[] = []
  const calls: string[] = []
  const context = contextFor(example, versions, policy, { losses, ignored, calls })
  try {
    const part = example.leg.startsWith('request')
      ? await runRequest(plan, example.before, example, context)
      : await runAnswer(plan, example, context)
    return { part, losses: losses.map(({ what }) => what), ignored, calls }
  } catch (cause) {
    if (cause instanceof ProxyError)
      return { part: { refused: cause.message }, losses: [], ignored, calls, code: cause.code }
    if (cause instanceof HeldAnswer) {
      await cause.later
      return { part: { answered: 200 }, losses: [], ignored, calls }
    }
    if (cause instanceof Answer) return { part: { answered: cause.status }, losses: [], ignored, calls }
    throw cause
  }
}

/** The neighbours of the change's version, unless the example names others. */
function versionsOf(
  change: BoundChange,
  { leg, client, engine }: Example,
): { client: ApiVersion; target: ApiVersion; engine: ApiVersion } {
  if (change.last !== undefined || change.podman) {
    const own = client === undefined ? change.version : versionOf(client)
    const highest = engine === undefined ? (change.podman ? change.version : own) : versionOf(engine)
    return { client: own, target: highest, engine: highest }
  }
  const up = leg === 'requestUp' || leg === 'responseDown'
  const older = apiVersion(change.from - 1)
  const own = client === undefined ? (up ? older : change.from) : versionOf(client)
  const highest = engine === undefined ? (up ? change.from : older) : versionOf(engine)
  return { client: own, target: highest, engine: highest }
}

/** Where an example calls: an object that it does not name is called web. */
function callOf({ on, before, asked = before, params }: Example): Pick<RequestMessage, 'path' | 'params'> {
  const { method, path: pattern } = operationNamed(on)
  const path = asked.path ?? pattern.replace(/\{\w+\**\}/, Object.values(params ?? {})[0] ?? 'web')
  return { path, params: params ?? findOperation(method, path)?.params ?? {} }
}

function contextFor(
  example: Example,
  versions: { client: ApiVersion; target: ApiVersion; engine: ApiVersion },
  policy: TranslationPolicy,
  { losses, ignored, calls }: { readonly losses: Loss[]; readonly ignored: string[]; readonly calls: string[] },
): EmulationContext {
  const answerTo = (call: string) => {
    const answer = example.calls?.[call]
    if (answer === undefined) throw new Error(`the example has no answer to ${call}`)
    calls.push(call)
    return answer
  }
  const { client, target, engine } = versions
  return contextWith({
    ...{ operation: example.on, client, target, engine: linux(engine), policy },
    call: { params: callOf(example).params, query: new URLSearchParams((example.asked ?? example.before).query) },
    autoRemoval: { full: false, add: () => undefined, removed: () => undefined, notStarted: () => undefined },
    lose: ({ what, needs, change, onLoss }) => {
      if (onLoss === 'refuse') {
        throw new ProxyError(
          'loss',
          `${what} is not supported by the engine: it needs API 1.${needs} and the engine has API 1.${versions.engine}`,
        )
      }
      losses.push({ what, needs, change, outcome: 'warned' })
    },
    ignore: (what) => void ignored.push(what),
    engineCall: async (method, path, options = {}) => {
      const query = options.query === undefined ? '' : `?${new URLSearchParams(options.query)}`
      const answer = answerTo(`${method} ${path}${query}`)
      return {
        status: answer.status ?? 200,
        headers: new Headers(),
        body: structuredClone(answer.body),
        error: answer.status === undefined || answer.status < 400 ? '' : String(answer.body),
      }
    },
    engineInfo: async () => {
      const info = answerTo('GET /info').body
      return isObject(info) ? info : undefined
    },
    engineStart: async (method, path) => {
      const { status = 200, body } = answerTo(`${method} ${path}`)
      const start = Buffer.from(typeof body === 'string' ? body : '', status < 400 ? 'base64' : 'utf8')
      return { status, start, error: status < 400 ? '' : start.toString() }
    },
  })
}

type Plan = ReturnType<typeof compile>

const headersOf = (part: ExamplePart): Headers =>
  new Headers(
    Object.entries(part.headers ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )

async function runRequest(
  plan: Plan,
  before: ExamplePart,
  example: Example,
  context: EmulationContext,
): Promise<ExamplePart> {
  const operation = operationNamed(example.on)
  const message: RequestMessage = {
    method: before.method ?? operation.method,
    ...callOf(example),
    query: new URLSearchParams(before.query ?? ''),
    headers: headersOf(before),
    body: structuredClone(before.body),
  }
  for (const step of plan.request.steps) await step.run(message, context)
  return {
    method: message.method,
    path: message.path,
    query: message.query.toString(),
    headers: asRecord(message.headers),
    ...(message.body === undefined ? {} : { body: message.body }),
  }
}

/** Translates the answer; the steps of the request run first. */
async function runAnswer(plan: Plan, example: Example, context: EmulationContext): Promise<ExamplePart | 'dropped'> {
  if (example.asked !== undefined) await runRequest(plan, example.asked, example, context)
  return runResponse(plan, example, context)
}

async function runResponse(plan: Plan, example: Example, context: EmulationContext): Promise<ExamplePart | 'dropped'> {
  const status = example.before.status ?? 200
  const message: ResponseMessage = {
    status,
    headers: headersOf(example.before),
    body: structuredClone(example.before.body),
  }
  if (example.before.text !== undefined) message.text = example.before.text
  const { head, body, errors } = plan.response
  // The bridge's own steps belong to no change.
  for (const { run } of (status >= 400 ? errors : [...head, ...body]).filter(({ change }) => change !== undefined))
    if ((await run(message, context)) === 'drop') return 'dropped'
  if (message.form !== undefined)
    message.headers.set('Content-Type', message.form === 'text' ? 'text/plain; charset=utf-8' : 'application/json')
  return {
    status: message.status,
    headers: asRecord(message.headers),
    ...(message.body === undefined ? {} : { body: message.body }),
    ...(message.text === undefined ? {} : { text: message.text }),
  }
}

const asRecord = (headers: Headers): Record<string, string> => Object.fromEntries(headers.entries())
