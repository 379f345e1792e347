import { readFileSync } from 'node:fs'
import { isObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { findOperation } from '../../src/api/operations.ts'
import { type ApiVersion, parseVersion, splitPrefix } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { Plan, Plans } from '../../src/translate/compile.ts'
import type { EmulationContext, EngineAnswer, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { asWritten } from './as-written.ts'
import { recordedFile } from './golden-scenes.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly status: number
  /** One value, or the records of a stream. */
  readonly values: readonly JsonValue[]
}

export interface Recording {
  readonly origin: { readonly engine: string; readonly version: string }
  readonly exchanges: Readonly<Record<string, Recorded>>
}

const read = new Map<string, Recording>()

export function recordingOf(engine: string, version: string): Recording {
  const file = recordedFile(engine, version)
  let recording = read.get(file)
  if (recording === undefined) {
    // parseJson: counters beyond 2^53 must come through the steps as they do in the program.
    const parsed = parseJson(readFileSync(new URL(`../golden/recorded/${file}`, import.meta.url), 'utf8'))
    recording = parsed as unknown as Recording
    read.set(file, recording)
  }
  return recording
}

export const version = (text: string): ApiVersion => {
  const parsed = parseVersion(text)
  if (parsed === undefined) throw new Error(`${text} is no version`)
  return parsed
}

interface Run {
  readonly plans: Plans
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly highest: ApiVersion
  /** The engine that answers: also what emulations ask further. */
  readonly engine: Recording
  /** The old client's own call. */
  readonly asked: Recorded
}

/** What the client gets for a recorded answer: the request's legs first (they may leave notes), then the answer's. */
export async function throughTheBridge(run: Run, answer: Recorded): Promise<JsonValue[]> {
  const plan = run.plans.get(run.operation, run.client, run.target, run.highest)
  const context = contextFor(run)
  await runRequest(plan, run.asked, context)
  const values: JsonValue[] = []
  for (const value of answer.values) {
    const got = await runResponse(plan, answer.status, value, context)
    if (got !== undefined) values.push(got)
  }
  return values
}

function searchOf(recorded: Recorded): { path: string; query: URLSearchParams } {
  const [path = '', search = ''] = splitPrefix(recorded.path).rest.split('?')
  return { path, query: new URLSearchParams(search) }
}

async function runRequest(plan: Plan, asked: Recorded, context: EmulationContext): Promise<void> {
  if (plan.request.needsBody) return // the recorded answers belong to other requests
  const { path, query } = searchOf(asked)
  const message: RequestMessage = {
    method: asked.method,
    path,
    params: context.call.params,
    query,
    headers: new Headers(),
    body: undefined,
  }
  for (const step of plan.request.steps) step(message, context)
  for (const emulate of plan.request.emulations) await emulate(message, context)
}

async function runResponse(
  plan: Plan,
  status: number,
  value: JsonValue,
  context: EmulationContext,
): Promise<JsonValue | undefined> {
  const message: ResponseMessage = { status, headers: new Headers(), body: structuredCloneOf(value) }
  for (const emulate of plan.response.emulations) await emulate(message, context)
  for (const step of [...plan.response.head, ...plan.response.body])
    if (step(message, context) === 'drop') return undefined
  return asWritten(message.body)
}

/** structuredClone cannot carry the numbers that are kept as text. */
const structuredCloneOf = (value: JsonValue): JsonValue => parseJson(JSON.stringify(value))

function contextFor(run: Run): EmulationContext {
  const { path, query } = searchOf(run.asked)
  const context: EmulationContext = {
    operation: run.operation,
    client: run.client,
    target: run.target,
    engine: { highest: run.highest, lowest: run.target, release: '', os: 'linux', arch: 'amd64', product: undefined },
    policy: { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined },
    call: { params: findOperation(run.asked.method, path)?.params ?? {}, query },
    memory: new Map(),
    afterwards: [],
    lose: () => undefined,
    ignore: () => undefined,
    engineCall: async (method, path) => answerOf(run.engine, method, path),
    engineInfo: async () => {
      const { body } = answerOf(run.engine, 'GET', '/info')
      return isObject(body) ? body : undefined
    },
    engineStart: () => Promise.reject(new Error('no recording holds the beginning of a stream')),
    translateResponse: (operation, body) => {
      const message: ResponseMessage = { status: 200, headers: new Headers(), body }
      const plan = run.plans.get(operation, run.client, run.target, run.highest)
      for (const step of plan.response.body) step(message, { ...context, operation })
      return message.body ?? null
    },
  }
  return context
}

/** A recorded answer to a further call: by its path, or by the id or name of what it is about. */
function answerOf(engine: Recording, method: string, path: string): EngineAnswer {
  const wanted = findOperation(method, path)
  const key = Object.values(wanted?.params ?? {})[0]
  for (const recorded of Object.values(engine.exchanges)) {
    const [body] = recorded.values
    const own = searchOf(recorded).path
    if (recorded.method !== method || findOperation(method, own)?.operation !== wanted?.operation) continue
    if (own === path || (isObject(body) && isAbout(body, key)))
      return { status: recorded.status, headers: new Headers(), body: structuredCloneOf(body ?? null), error: '' }
  }
  const listed = wanted?.operation.name === 'NetworkInspect' ? listedNetwork(engine, key) : undefined
  if (listed !== undefined) return { status: 200, headers: new Headers(), body: listed, error: '' }
  throw new Error(`nothing was recorded for ${method} ${path} on ${engine.origin.engine}`)
}

/** The predefined networks were recorded in lists only; asked for one by one they have their containers. */
function listedNetwork(engine: Recording, id: string | undefined): JsonValue | undefined {
  const lists = Object.values(engine.exchanges).flatMap(({ values }) => values.filter((value) => Array.isArray(value)))
  const found = lists.flat().find((network) => isObject(network) && (network['Id'] === id || network['Name'] === id))
  return isObject(found) ? structuredCloneOf({ ...found, Containers: found['Containers'] ?? {} }) : undefined
}

const isAbout = (body: { [name: string]: JsonValue | undefined }, key: string | undefined): boolean =>
  key !== undefined && (body['Id'] === key || body['ID'] === key || body['Name'] === `/${key}`)
