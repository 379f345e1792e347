import { isObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Op, ResponseLeg } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { ResponseMessage, StepContext } from '../../message.ts'
import { byHand, type Operations } from '../by-hand.ts'
import { isTrue } from './requests.ts'
import { expressionOf, sampleOf } from './text-pattern.ts'

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
  const shown = (form: Form = 'json'): ExampleRow[] => [[error, { ...error, headers: { 'Content-Type': TYPES[form] } }]]
  return byHand(
    operations,
    'form of errors',
    { part: 'error', responseDown: put(before), responseUp: put(after) },
    () => ({ responseDown: shown(before), responseUp: shown(after) }),
  )
}

interface StatusChangedOptions {
  readonly before: number
  readonly after: number
  /** Only for errors of this text, in any case; with holes as in `errorTexts`. */
  readonly when?: string
  /** Only for calls with this parameter, a boolean. */
  readonly asked?: string
  readonly legs?: 'down' | 'up' | 'both'
  /** The body of the success. Only for rules with one leg. */
  readonly body?: JsonValue
}

/** A status that differs for the same outcome. */
export function statusChanged(operations: Operations, options: StatusChangedOptions): Op {
  const { before, after, when = '{rest}', asked, legs = 'both', body } = options
  const expression = expressionOf(when, 'i')
  const swap =
    (from: number, to: number) =>
    (message: ResponseMessage, { call }: StepContext) => {
      if (asked !== undefined && !isTrue(call.query.get(asked))) return
      if (message.status !== from || !expression.test(message.text ?? '')) return
      message.status = to
      if (body !== undefined && to < 400) {
        message.headers.set('Content-Type', 'application/json')
        message.body = structuredClone(body)
      }
      if (from < 400 || to >= 400) return
      delete message.text
      message.headers.delete('X-Content-Type-Options') // Go's http.Error sets it
    }
  const partOf = (status: number) => (status >= 400 ? 'error' : body === undefined ? 'head' : 'body')
  const rows = (from: number, to: number): ExampleRow[] => {
    const said = (status: number, text: string) => ({ status, ...(status < 400 ? {} : { text }) })
    const made = body !== undefined && to < 400 ? { body } : {}
    const text = sampleOf(when)
    const changed = from < 400 ? { status: to, ...made } : { ...said(to, text), ...made }
    const same = said(from, text)
    if (asked !== undefined) return [[same, changed, { asked: `${asked}=1` }], [same]]
    return [[same, changed], ...(options.when === undefined ? [] : [[said(from, 'another error')] as const])]
  }
  const hand = {
    part: { responseDown: partOf(after), responseUp: partOf(before) },
    responseDown: legs === 'up' ? undefined : swap(after, before),
    responseUp: legs === 'down' ? undefined : swap(before, after),
  } as const
  return byHand(operations, `status ${before} is ${after}`, hand, () => ({
    responseDown: rows(after, before),
    responseUp: rows(before, after),
  }))
}

interface RecordDroppedOptions {
  readonly drops?: readonly JsonValue[]
  readonly keeps?: readonly JsonValue[]
  /** The records stay with `--newer-fields pass`. */
  readonly stripsNewer?: true
  /** By default, the records are newer than the client, which must not see them. */
  readonly leg?: ResponseLeg
  readonly elementwise?: true
}

/** Records that the client's version did not have: `isOther` decides; `last` is the last that its stream has. */
export function recordDropped(
  operation: OperationName,
  description: string,
  isOther: (record: ResponseMessage['body'], context: StepContext) => boolean | 'last',
  { drops = [], keeps = [], leg = 'responseDown', ...how }: RecordDroppedOptions = {},
): Op {
  const drop = ({ body }: ResponseMessage, context: StepContext) => {
    const other = isOther(body, context)
    return other === true ? 'drop' : other || undefined
  }
  return byHand(operation, description, { ...how, [leg]: drop }, () => ({
    [leg]: [...drops.map((body): ExampleRow => [{ body }, 'dropped']), ...keeps.map((body): ExampleRow => [{ body }])],
  }))
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
  return recordDropped('SystemEvents', `new events: ${words}`, isNew, {
    stripsNewer: true,
    drops: kinds.flatMap(({ Type: type = 'old', Action: action = 'old' }) => [
      { Type: type, Action: `${action}: more` },
      { Type: type, status: action },
    ]),
    keeps: [{ Type: 'old', Action: 'old' }],
  })
}
