import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Example, ExamplePart, Op, ResponseLeg } from '../../change.ts'
import type { ResponseMessage, StepContext } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'
import { isTrue } from './requests.ts'

const TYPES = { text: 'text/plain; charset=utf-8', json: 'application/json' } as const
type Form = keyof typeof TYPES

/** How errors, or those of a status, are written before and from this version on. */
export function errorForm(
  operations: readonly OperationName[],
  { before, after, status }: { before?: Form; after?: Form; status?: number },
): Op {
  const put = (form: Form | undefined) => {
    if (form === undefined) return undefined
    return (message: ResponseMessage): void => {
      if (status === undefined || message.status === status) message.form = form
    }
  }
  const error = { status: status ?? 404, text: 'No such container: x' }
  const shown = (form: Form = 'json') => [
    { before: error, after: { ...error, headers: { 'Content-Type': TYPES[form] } } },
  ]
  return {
    ...byHand(operations, 'form of errors', { part: 'error', responseDown: put(before), responseUp: put(after) }),
    examples: examplesIn(operations, () => ({ responseDown: shown(before), responseUp: shown(after) })),
  }
}

/** A status that differs for the same outcome. `when` looks at an error's text; success statuses have none. */
export function statusChanged(
  operations: OperationName | readonly OperationName[],
  options: {
    before: number
    after: number
    when?: RegExp
    /** Only for calls with this parameter, a boolean. */
    asked?: string
    legs?: 'down' | 'up' | 'both'
    /** An error's text that `when` matches. */
    sample?: string
    /** What the newer version's success says, where the older one's has no body. */
    body?: JsonValue
  },
): Op {
  const { before, after, when, asked, legs = 'both', sample, body } = options
  const swap =
    (from: number, to: number) =>
    (message: ResponseMessage, { call }: StepContext) => {
      if (asked !== undefined && !isTrue(call.query.get(asked))) return
      if (message.status !== from || (when !== undefined && !when.test(message.text ?? ''))) return
      message.status = to
      if (body !== undefined && to === after) {
        message.headers.set('Content-Type', 'application/json')
        message.body = structuredClone(body)
      }
      if (from < 400 || to >= 400) return
      delete message.text
      message.headers.delete('X-Content-Type-Options') // Go's http.Error sets it
    }
  const partOf = (status: number) => (status >= 400 ? 'error' : body === undefined ? 'head' : 'body')
  const message = (status: number, text: string): ExamplePart => ({ status, ...(status < 400 ? {} : { text }) })
  const shown = (from: number, to: number): Pick<Example, 'asked' | 'before' | 'after'>[] => {
    if (when !== undefined && sample === undefined) return []
    const [matched, other] = [message(from, sample ?? 'in words'), message(from, 'another error')]
    const said = body !== undefined && to === after ? { body } : {}
    const call = asked === undefined ? {} : { asked: { query: `${asked}=1` } }
    const changed = {
      ...call,
      before: matched,
      after: from < 400 ? { status: to, ...said } : message(to, sample ?? 'in words'),
    }
    if (asked !== undefined) return [changed, { before: matched, after: matched }]
    return when === undefined ? [changed] : [changed, { before: other, after: other }]
  }
  return {
    ...byHand(operations, `status ${before} is ${after}`, {
      part: { responseDown: partOf(after), responseUp: partOf(before) },
      responseDown: legs === 'up' ? undefined : swap(after, before),
      responseUp: legs === 'down' ? undefined : swap(before, after),
    }),
    examples: examplesIn(operations, () => ({ responseDown: shown(after, before), responseUp: shown(before, after) })),
  }
}

interface RecordDroppedOptions {
  readonly drops?: readonly JsonValue[]
  readonly keeps?: readonly JsonValue[]
  /** With `--newer-fields pass` they stay. */
  readonly stripsNewer?: true
  /** By default they are newer ones, which an older client does not see. */
  readonly leg?: ResponseLeg
  readonly elementwise?: true
}

/** Records that the client's version did not have: `isOther` decides; `last` is the last that its stream has. */
export function recordDropped(
  operation: OperationName,
  words: string,
  isOther: (record: ResponseMessage['body'], context: StepContext) => boolean | 'last',
  options: RecordDroppedOptions = {},
): Op {
  const { drops = [], keeps = [], stripsNewer = [], leg = 'responseDown', ...how } = options
  return {
    ...byHand(operation, words, {
      ...how,
      stripsNewer,
      [leg]: ({ body }: ResponseMessage, context: StepContext) => {
        const other = isOther(body, context)
        return other === true ? 'drop' : other || undefined
      },
    }),
    examples: examplesIn(operation, () => ({
      [leg]: [
        ...drops.map((body) => ({ before: { body }, after: 'dropped' as const })),
        ...keeps.map((body) => ({ before: { body }, after: { body } })),
      ],
    })),
  }
}

/** Events that are new: of a type, of an action (up to a colon), or of an action of a type. */
export function eventsAdded(...kinds: readonly { readonly Type?: string; readonly Action?: string }[]): Op {
  const actionOf = ({ Action: action, status }: JsonObject): string =>
    String(action ?? status ?? '').split(':')[0] ?? ''
  const isNew = (record: JsonValue | undefined): boolean =>
    isObject(record) &&
    kinds.some(
      ({ Type: type = record['Type'], Action: action = actionOf(record) }) =>
        record['Type'] === type && actionOf(record) === action,
    )
  const words = kinds.map((kind) => Object.values(kind).join(' ')).join(', ')
  const old = { Type: 'old', Action: 'old' }
  return recordDropped('SystemEvents', `new events: ${words}`, isNew, {
    drops: kinds.flatMap(({ Type: type = 'old', Action: action = 'old' }) => [
      { Type: type, Action: `${action}: more` },
      { Type: type, status: action },
    ]),
    keeps: [old],
  })
}
