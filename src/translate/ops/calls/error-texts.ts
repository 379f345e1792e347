import { type JsonObject, type JsonValue, objectOf, parseJson, writeJson } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { ApiVersion } from '../../../api/version.ts'
import type { Op } from '../../change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { byHand, emulated } from '../by-hand.ts'
import { begun, type ErrorSample, type ErrorText, examplesFor, readRows } from './error-table.ts'
import { bodyOf, inspectPath } from './looked-up.ts'
import { filled } from './text-pattern.ts'

/** The call that failed, as far as texts name it. */
export interface Asked {
  /** The parts of the received text by the names of their holes, and `all` of it. */
  readonly found: Readonly<Record<string, string>>
  /** The name or id in the path. */
  readonly name: string
  readonly query: URLSearchParams
  readonly client: ApiVersion
  /** The body of an operation in `remembers`; false if the request had none, true if it was not JSON. */
  readonly body: JsonValue | undefined
  /** The inspected container of the path, with `inspects`; empty if the inspect fails. */
  readonly container: JsonObject
}

export interface ErrorTextsOptions {
  /** Holes that the other text does not have; undefined: the row does not apply. `{name}` is the name in the path. */
  readonly holes?: Readonly<Record<string, (asked: Asked) => string | undefined>>
  /** Operations whose request bodies `holes` read. */
  readonly remembers?: readonly OperationName[]
  /** For these clients the container of the call is inspected before an error gets another text. */
  readonly inspects?: (client: ApiVersion) => boolean
  /** Texts match in any case: engines since changed that of many. */
  readonly anyCase?: true
  /** By default not with `spec`. */
  readonly everyProfile?: true
  /** For an error of any operation to which no row applies, on its way to an older client. */
  readonly otherwise?: (message: ResponseMessage, context: StepContext) => void
  readonly samples?: readonly ErrorSample[]
}

export interface ErrorTexts extends Op {
  /** Rewrites an error of a newer engine. */
  toOlder(message: ResponseMessage, context: StepContext): void
}

/**
 * Errors whose status or text changed, as a table: operations; below them the newer error, or several; below that the older
 * ones, the newest first. The first row that matches applies.
 *
 *     ContainerKill
 *       409 cannot kill container: {x}: container {id} is not running
 *         409 Cannot kill container {x}: Container {id} is not running
 *         1.20 500 Container {id} is not running
 *
 * An older error with a version is for clients up to that version; `up` and `down` limit it to one way, as a version does
 * to `down`. Status 200 means that the older engine had begun its answer: the text is an error record, after records of
 * progress if it has several lines, or `[]`. `{}` marks a space at an end, `\n` a line break, # a comment.
 */
export function errorTexts(table: string, options: ErrorTextsOptions = {}): ErrorTexts {
  const rows = readRows(table, options.anyCase ? 'i' : '')
  const { holes = {}, remembers = [], inspects, otherwise, everyProfile, samples = [{}] } = options
  const towards = (only: 'down' | 'up') =>
    Map.groupBy(
      rows
        .map((row) => ({ ...row, older: row.older.filter((said) => (said.only ?? only) === only) }))
        .filter(({ older }) => older.length > 0)
        .flatMap((row) => row.on.map((operation) => ({ ...row, operation }))),
      ({ operation }) => operation,
    )
  const [down, up] = [towards('down'), towards('up')]

  const say = (
    message: ResponseMessage,
    { status, text = '{all}' }: ErrorText,
    found: Found,
    context: StepContext,
  ): boolean => {
    const asked = askedIn(context, found)
    const said = filled(
      text,
      (hole) => found[hole] ?? (hole === 'name' ? asked.name : Object.hasOwn(holes, hole) ? holes[hole]?.(asked) : ''),
    )
    if (said === undefined) return false
    message.status = status ?? message.status
    if ((message.text ?? '') === '') message.form = 'json' // a response without a body has no form
    message.text = said
    if (message.status < 400) {
      message.body = begun(said)
      delete message.text
    }
    return true
  }
  /** The rows for an error, each with the text that it gets; none: it stays. */
  function* matches(way: 'down' | 'up', message: ResponseMessage, { operation, client }: StepContext) {
    for (const { newer, older } of (way === 'down' ? down : up).get(operation) ?? []) {
      const found = matching(way === 'down' ? newer : older, message)
      const to = way === 'down' ? older.findLast(({ upTo }) => upTo >= client) : newer[0]
      if (found !== undefined) yield { found, to }
    }
  }
  const rewrite = (way: 'down' | 'up', message: ResponseMessage, context: StepContext): boolean => {
    for (const { found, to } of matches(way, message, context))
      if (to === undefined || say(message, to, found, context)) return true
    return false
  }
  const toOlder = (message: ResponseMessage, context: StepContext): void => {
    if (!rewrite('down', message, context)) otherwise?.(message, context)
  }
  const toNewer = (message: ResponseMessage, context: StepContext): void => void rewrite('up', message, context)
  const inspectFor = (way: 'down' | 'up') => async (message: ResponseMessage, context: EmulationContext) => {
    const [first] = matches(way, message, context)
    if (inspects?.(context.client) && first?.to?.text !== undefined) await bodyOf(inspectPath(context), context)
  }
  const facts = everyProfile ? {} : ({ profile: 'engine' } as const)
  const downOn = otherwise === undefined ? [...down.keys()] : 'every'
  const ops = [
    byHand(remembers, 'the request is kept', {
      ...facts,
      ...(down.size > 0 ? { requestUp: rememberBody } : {}),
      ...(up.size > 0 ? { requestDown: rememberBody } : {}),
    }),
    byHand(downOn, WORDS, { ...facts, part: 'error', responseDown: toOlder }),
    byHand([...up.keys()], WORDS, { ...facts, part: 'error', responseUp: toNewer }),
    ...(inspects === undefined
      ? []
      : [
          emulated([...down.keys()], WORDS, { part: 'error', responseDown: inspectFor('down') }),
          emulated([...up.keys()], WORDS, { part: 'error', responseUp: inspectFor('up') }),
        ]),
  ]
  return {
    description: WORDS,
    steps: (change) => ops.flatMap((op) => op.steps(change)),
    examples: (_change, on) =>
      rows
        .filter((row) => on === undefined || row.on.includes(on))
        .flatMap((row) => samples.flatMap((sample) => examplesFor(row, sample, on ?? row.on[0]))),
    toOlder,
  }
}

const WORDS = 'errors have another status or text'

const ASKED = 'errors.asked'

/** Keeps a copy of the client's request for texts of errors that name parts of it; steps may change the request. */
export function rememberBody({ body, text }: RequestMessage, { memory }: StepContext): void {
  if (!memory.has(ASKED)) memory.set(ASKED, body === undefined ? text !== undefined : parseJson(writeJson(body)))
}

type Found = Asked['found']

const askedIn = (context: StepContext, found: Found): Asked => {
  const { call, client, memory } = context
  return {
    ...{ found, client, query: call.query, name: call.params['name'] ?? call.params['id'] ?? '' },
    get body() {
      return memory.get(ASKED)
    },
    get container() {
      return objectOf(memory.get(inspectPath(context)))
    },
  }
}

function matching(texts: readonly ErrorText[], { status, text = '' }: ResponseMessage): Found | undefined {
  for (const said of texts) {
    const match = status === (said.status ?? status) ? said.expression.exec(text) : null
    if (match !== null) return { ...match.groups, all: text }
  }
  return undefined
}
