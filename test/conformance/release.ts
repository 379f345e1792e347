import { changes as rules } from '../../rules/index.ts'
import { findOperation, type OperationName, operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes.ts'
import { errorText, Refusal, renderError } from '../../src/errors.ts'
import { emulationsOf } from '../../src/explain/applies.ts'
import { changeOf, type Plan, Plans } from '../../src/translate/compile.ts'
import { Headers } from '../../src/translate/headers.ts'
import { isObject, type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'
import { Answer, type RequestMessage, type ResponseMessage, type StepContext } from '../../src/translate/message.ts'
import { version } from '../support/golden-run.ts'
import { type CatalogueCall, operationOf } from './catalogue.ts'
import type { Played } from './support/play.ts'
import { recordsIn, type View, viewOf } from './support/view.ts'

const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes: rules, shapes }, policy)
/** The highest version of each engine that is asked directly. */
const HIGHEST: Readonly<Record<string, string>> = {
  '20.10': '1.41',
  '26.1': '1.45',
  '28.5': '1.51',
  'podman-5.4': '1.41',
}

/** What the engine's own answer becomes by the `release` changes, and which of them changed what. */
export interface Righted {
  readonly view: View
  /** `status`, `type`, `text` or members of the body, as differences name them, with the ids that changed them. */
  readonly by: ReadonlyMap<string, ReadonlySet<string>>
}

/** Where a call of a client is asked directly: at its own version, of an engine of this name. */
export interface Asked {
  readonly client: string
  readonly engine: string
}

/**
 * The bridge speaks the client's own version to the engine here, so that all it does is to put `release` changes right.
 * They are done to what the engine said without a bridge, one after the other, and each is noted with what it changes:
 * that, and nothing else, is explained by its id.
 */
export function righted(asked: Asked, played: Played): Righted | undefined {
  const operation = operationOf(played.call)
  if (operation === 'no operation' || played.status === null || played.status === 101) return undefined
  const plan = planOf(operation, asked)
  const noted = new Noted()
  const context = contextOf(operation, plan, asked, played.call)
  askedFor(plan, context, played.call, noted, false)
  const done = played.status >= 400 ? errorOf(plan, context, played, noted) : answerOf(plan, context, played, noted)
  return { view: viewOf(done), by: noted.by }
}

/** The ids of the changes that make another request of this call, with the members that they change. */
export function changedRequest(asked: Asked, call: CatalogueCall): ReadonlyMap<string, ReadonlySet<string>> {
  const operation = operationOf(call)
  if (operation === 'no operation') return new Map()
  const plan = planOf(operation, asked)
  const noted = new Noted()
  askedFor(plan, contextOf(operation, plan, asked, call), call, noted, true)
  return noted.by
}

/** Changes of the operation that take further calls to the engine: what they do cannot be done to an answer alone. */
export function emulated(asked: Asked, call: CatalogueCall): readonly string[] {
  const operation = operationOf(call)
  if (operation === 'no operation') return []
  const plan = planOf(operation, asked)
  return [...emulationsOf(operation, plan, 'request'), ...emulationsOf(operation, plan, 'response')]
}

const planOf = (operation: OperationName, { client, engine }: Asked): Plan =>
  plans.get(operation, version(client), version(client), version(HIGHEST[engine] ?? ''))

class Noted {
  readonly by = new Map<string, Set<string>>()

  note(step: object, paths: readonly string[]): void {
    const id = changeOf(step) ?? 'own'
    for (const path of paths) this.by.set(path, (this.by.get(path) ?? new Set()).add(id))
  }
}

function contextOf(operation: OperationName, plan: Plan, { engine }: Asked, call: CatalogueCall): StepContext {
  const [path = '', query] = call.path.split('?')
  return {
    operation,
    client: plan.client,
    target: plan.target,
    engine: {
      highest: plan.highest,
      lowest: version('1.12'),
      release: `${engine}.0`,
      os: 'linux',
      arch: 'amd64',
      product: engine.startsWith('podman') ? 'Podman Engine' : undefined,
    },
    policy,
    call: {
      params: findOperation(call.method, decodeURIComponent(path))?.params ?? {},
      query: new URLSearchParams(query),
    },
    memory: new Map(),
    lose: ({ change, onLoss, what }) => {
      if (onLoss === 'refuse') throw new Refusal('loss', `${what} ${change}`)
    },
    ignore: () => undefined,
  }
}

/** The request's steps: some leave in memory what those of the answer look at. */
function askedFor(plan: Plan, context: StepContext, call: CatalogueCall, noted: Noted, note: boolean): void {
  const [path = '', query] = call.path.split('?')
  const message: RequestMessage = {
    method: call.method,
    path,
    params: context.call.params,
    query: new URLSearchParams(query),
    headers: new Headers(
      Object.entries({ ...call.headers, ...(call.type === undefined ? {} : { 'Content-Type': call.type }) }),
    ),
    body:
      call.json === undefined || operationNamed(context.operation).request !== 'json'
        ? undefined
        : parseJson(JSON.stringify(call.json)),
    ...(call.text === undefined ? {} : { text: call.text }),
  }
  for (const step of plan.request.steps) {
    const before = note ? outlineOf(message) : null
    try {
      step(message, context)
    } catch (cause) {
      if (!(cause instanceof Refusal || cause instanceof Answer)) throw cause
      noted.note(step, ['refused'])
      return
    }
    if (note) noted.note(step, changedPaths(before, outlineOf(message), 'request'))
  }
}

const outlineOf = ({ path, query, headers, body, text }: RequestMessage): JsonValue =>
  parseJson(JSON.stringify({ path, query: query.toString(), headers: [...headers.entries()], body, text }))

function answerOf(plan: Plan, context: StepContext, played: Played, noted: Noted): Played {
  const records = recordsIn(played)
  const whole = records.length === 0 ? [undefined] : records
  let headers = played.headers
  let { status } = played
  const done = whole.flatMap((record): JsonValue[] => {
    const message: ResponseMessage = {
      status: played.status ?? 0,
      headers: new Headers(Object.entries(played.headers)),
      body: record,
      ...(record === undefined ? { text: played.body.toString() } : {}),
    }
    const head = (): JsonValue => ({ status: message.status, type: message.headers.get('Content-Type') ?? '' })
    for (const step of [...plan.response.head, ...plan.response.body]) {
      const before = { head: head(), body: copyOf(message.body) }
      const dropped = step(message, context) === 'drop'
      noted.note(step, [
        ...changedPaths(before.head, head(), '').map((path) => path.slice(1)),
        ...(dropped ? ['body'] : changedPaths(before.body, message.body, 'body')),
      ])
      if (dropped) return []
    }
    headers = Object.fromEntries([...message.headers.entries()].map(([name, value]) => [name.toLowerCase(), value]))
    status = message.status
    return message.body === undefined ? [] : [message.body]
  })
  const body = records.length === 0 ? played.body : Buffer.from(done.map((record) => writeJson(record)).join('\n'))
  return { ...played, status, headers, body }
}

function errorOf(plan: Plan, context: StepContext, played: Played, noted: Noted): Played {
  const type = played.headers['content-type'] ?? 'text/plain'
  const message: ResponseMessage = {
    status: played.status ?? 0,
    headers: new Headers(Object.entries(played.headers)),
    body: undefined,
    text: errorText(played.body.toString(), type),
    form: type.startsWith('application/json') ? 'json' : 'text',
  }
  const outline = (): JsonValue => ({ status: message.status, type: message.form ?? '', text: message.text ?? '' })
  for (const step of plan.response.errors) {
    const before = outline()
    step(message, context)
    noted.note(
      step,
      changedPaths(before, outline(), '').map((path) => path.slice(1)),
    )
  }
  const rendered = renderError(message.text ?? '', message.form ?? 'text')
  const headers = { ...played.headers, 'content-type': rendered.headers['Content-Type'] ?? type }
  return { ...played, status: message.status, headers, body: Buffer.from(rendered.body) }
}

const copyOf = (value: JsonValue | undefined): JsonValue | undefined =>
  value === undefined ? undefined : parseJson(writeJson(value))

/** The members that are not what they were, named as differences are. */
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
