import { changes, deviations } from '../../rules/index.ts'
import { errorText, ProxyError, renderError } from '../../src/api/errors.ts'
import { isObject, type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import { readAsGo } from '../../src/api/json/read.ts'
import { findOperation, type OperationName, operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { type ApiVersion, apiVersion, splitPrefix, versionOf } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { Plan } from '../../src/translate/compile.ts'
import { Answer, type RequestMessage, type ResponseMessage, type StepContext } from '../../src/translate/message.ts'
import { Plans, untouched } from '../../src/translate/plans.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { contextWith, linux } from '../support/step-context.ts'
import type { CatalogueCall } from './catalogue.ts'
import type { Played } from './support/play.ts'
import { recordsIn, type View, viewOf } from './support/view.ts'

const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes: [...changes, ...deviations], shapes }, policy)
/** The highest version of each engine that is asked directly. */
const HIGHEST: Readonly<Record<string, string>> = {
  '20.10': '1.41',
  '26.1': '1.45',
  '28.5': '1.51',
  'podman-5.4': '1.41',
  'podman-5.8': '1.44',
}

/** The engine's own answer after the `release` changes, with the ids of those that changed it. */
export interface Righted {
  readonly view: View
  /** `status`, `type`, `text` or members of the body, as differences name them, with the ids that changed them. */
  readonly by: ReadonlyMap<string, ReadonlySet<string>>
}

/** The client's version and the engine of a call that goes to the engine directly. */
export interface Asked {
  readonly client: string
  readonly engine: string
}

/**
 * The bridge speaks the client's own version to the engine here, so it only applies the `release` changes. They are applied, one
 * after the other, to the engine's answer without a bridge, and each is noted with the paths that it changes: its id explains
 * these and no others. Changes that need further calls to the engine are left out.
 */
export function righted(asked: Asked, played: Played): Righted {
  const noted = new Map<string, Set<string>>()
  const done = putRight(asked, played, ({ change }, paths) => {
    for (const path of paths) noted.set(path, (noted.get(path) ?? new Set()).add(change ?? OWN))
  })
  return { view: viewOf(done), by: noted }
}

/** The reason for differences that come from the bridge itself and from no change of the API. */
export const OWN = 'The versions that are served are the bridge’s: it says so, and refuses what is below 1.12.'

type Note = (step: Planned, paths: readonly string[]) => void
type Planned = Plan['response']['body'][number]

function putRight(asked: Asked, played: Played, note: Note): Played {
  const { call, status } = played
  const { operation, plan } = planFor(asked, call)
  if (status === null || status === 101) return played
  if (operation === undefined)
    return status >= 400 ? errorOf(plan, contextOf('SystemPing', plan, asked, call), played, note) : played
  const context = contextOf(operation, plan, asked, call)
  rememberRequest(plan, context, call)
  return status >= 400 ? errorOf(plan, context, played, note) : answerOf(plan, context, played, note)
}

type Steps = Omit<Plan, 'operation'>

const isPlain = ({ callsEngine }: Planned): boolean => callsEngine !== true

function planFor(
  { client, engine }: Asked,
  { method, path, raw }: CatalogueCall,
): { operation?: OperationName; plan: Steps } {
  const highest = versionOf(HIGHEST[engine] ?? '')
  const { prefix, rest } = raw === true ? splitPrefix(path) : { prefix: undefined, rest: path }
  const said = prefix?.kind === 'version' ? apiVersion(prefix.parts[1] ?? 0) : highest
  const own: ApiVersion = raw === true ? said : versionOf(client)
  const operation = findOperation(method, decodeURIComponent(rest.split('?')[0] ?? ''))?.operation.name
  if (operation === undefined) return { plan: untouched({ client: own, target: own, highest }) }
  return {
    operation,
    plan: plans.get(operation, { client: own, target: own, highest, podman: engine.startsWith('podman') }),
  }
}

function contextOf(operation: OperationName, plan: Steps, { engine }: Asked, call: CatalogueCall): StepContext {
  const [path = '', query] = call.path.split('?')
  const params = findOperation(call.method, decodeURIComponent(path))?.params ?? {}
  const product = engine.startsWith('podman') ? 'Podman Engine' : undefined
  const facts = { ...linux(plan.highest, versionOf('1.12')), release: `${engine}.0`, product }
  return contextWith({
    ...{ operation, client: plan.client, target: plan.target, engine: facts, policy },
    call: { params, query: new URLSearchParams(query) },
    lose: ({ onLoss, what }) => {
      if (onLoss === 'refuse') throw new ProxyError('loss', what)
    },
  })
}

/** Runs the steps of the request: those of the answer read their notes in memory. */
function rememberRequest(plan: Steps, context: StepContext, call: CatalogueCall): void {
  const [path = '', query] = call.path.split('?')
  const type = call.type === undefined ? {} : { 'Content-Type': call.type }
  const said = call.json ?? (call.text === undefined ? undefined : readAsGo(call.text).value)
  const json = operationNamed(context.operation).request === 'json' ? said : undefined
  const message: RequestMessage = {
    method: call.method,
    path,
    params: context.call.params,
    query: new URLSearchParams(query),
    headers: new Headers(Object.entries({ ...call.headers, ...type })),
    body: copyOf(json),
    ...(call.text === undefined ? {} : { text: call.text }),
  }
  try {
    runWithoutEngine(plan.request.steps, message, context)
  } catch (cause) {
    if (!(cause instanceof ProxyError || cause instanceof Answer)) throw cause // the bridge answers this call itself
  }
}

function answerOf(plan: Steps, context: StepContext, played: Played, note: Note): Played {
  const records = recordsIn(played)
  const outcome = { status: played.status, headers: played.headers }
  const bodies = (records.length === 0 ? [undefined] : records).flatMap((record): JsonValue[] => {
    const message: ResponseMessage = {
      status: played.status ?? 0,
      headers: new Headers(Object.entries(played.headers)),
      body: copyOf(record),
      ...(record === undefined ? { text: played.body.toString() } : {}),
    }
    for (const step of [...plan.response.head, ...plan.response.body].filter(isPlain))
      if (stepOver(step, message, context, note, records.length > 1 ? 'body[]' : 'body') === 'drop') return []
    outcome.status = message.status
    outcome.headers = Object.fromEntries(message.headers.entries().map(([name, value]) => [name.toLowerCase(), value]))
    return message.body === undefined ? [] : [message.body]
  })
  const body = records.length === 0 ? played.body : Buffer.from(bodies.map((record) => writeJson(record)).join('\n'))
  return { ...played, ...outcome, body }
}

function stepOver(
  step: Planned,
  message: ResponseMessage,
  context: StepContext,
  note: Note,
  at: string,
): ReturnType<Planned['run']> {
  const head = (): JsonValue => ({ status: message.status, type: message.headers.get('Content-Type') ?? '' })
  const before = { head: head(), body: copyOf(message.body) }
  const came = step.run(message, context)
  const changed = came === 'drop' ? ['body'] : changedPaths(before.body, message.body, at)
  note(step, [...headPaths(before.head, head()), ...changed])
  return came
}

function errorOf(plan: Steps, context: StepContext, played: Played, note: Note): Played {
  const type = played.headers['content-type'] ?? 'text/plain'
  const message: ResponseMessage = {
    status: played.status ?? 0,
    headers: new Headers(Object.entries(played.headers)),
    body: undefined,
    text: errorText(played.body.toString(), type),
    ...(type.startsWith('application/json') ? { form: 'json' as const } : {}),
    ...(type.startsWith('text/plain') ? { form: 'text' as const } : {}),
  }
  const head = (): JsonValue => ({ status: message.status, type: message.form ?? '', text: message.text ?? '' })
  for (const step of plan.response.errors.filter(isPlain)) {
    const before = head()
    step.run(message, context)
    note(step, headPaths(before, head()))
  }
  const { body, headers } =
    message.status < 400
      ? {
          body: message.body === undefined ? '' : writeJson(message.body),
          headers: { 'Content-Type': 'application/json' },
        }
      : renderError(message.text ?? '', message.form ?? 'text')
  const written = { ...played.headers, 'content-type': headers['Content-Type'] ?? type }
  return { ...played, status: message.status, headers: written, body: Buffer.from(body) }
}

const copyOf = <T extends JsonValue | undefined>(value: T): T =>
  value === undefined ? value : (parseJson(writeJson(value)) as T)

const headPaths = (was: JsonValue, is: JsonValue): string[] => changedPaths(was, is, '').map((path) => path.slice(1))

/** The members that changed, named as in differences. */
function changedPaths(was: JsonValue | undefined, is: JsonValue | undefined, path: string): string[] {
  if (was === undefined || is === undefined) return was === is ? [] : [path]
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length)
    return [...new Set(is.flatMap((element, i) => changedPaths(was[i], element, `${path}[]`)))]
  if (isObject(was) && isObject(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
      changedPaths(was[name], is[name], `${path}.${name}`),
    )
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [path]
}
