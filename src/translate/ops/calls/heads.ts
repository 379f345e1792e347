import type { ByLeg, ExamplePart, Op } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { byHand, type Operations } from '../by-hand.ts'

/** A part of a head. */
type Spot = 'path' | `query ${string}` | `header ${string}`

type Head = RequestMessage | ResponseMessage

/** The texts that a head gets at a spot instead of these; a parameter may repeat, a missing part has none. */
type Edit<Message extends Head> = (
  texts: readonly string[],
  message: Message,
  context: StepContext,
) => readonly string[]

const namesOf = (spot: Spot): [part: string, name: string] => {
  const [part = '', name = ''] = spot.split(' ')
  return [part, name]
}

function textsAt(message: Head, spot: Spot): readonly string[] {
  const [part, name] = namesOf(spot)
  if ('path' in message && part === 'path') return [message.path]
  if ('path' in message && part === 'query') return message.query.getAll(name)
  const text = message.headers.get(name)
  return text === undefined ? [] : [text]
}

function write(message: Head, spot: Spot, [first, ...more]: readonly string[]): void {
  const [part, name] = namesOf(spot)
  if ('path' in message && part === 'path') {
    message.path = first ?? message.path
    return
  }
  // A spread of the message would lose its query, which is a getter.
  const holder = part === 'query' && 'query' in message ? message.query : message.headers
  if (first === undefined) holder.delete(name)
  else holder.set(name, first)
  for (const text of more) holder.append(name, text)
}

const stepOf =
  <Message extends Head>(spot: Spot, edit: Edit<Message>) =>
  (message: Message, context: StepContext): void => {
    const texts = textsAt(message, spot)
    const others = edit(texts, message, context)
    if (others.length !== texts.length || others.some((text, i) => text !== texts[i])) write(message, spot, others)
  }

/** A head with this text at the spot, or without; for examples. */
function shown(spot: Spot, text: string | null): ExamplePart {
  const [part, name] = namesOf(spot)
  if (part === 'path') return { path: text ?? '' }
  if (part === 'header') return { headers: { [name]: text } }
  return { query: text === null ? '' : String(new URLSearchParams({ [name]: text })) }
}

/** Another spelling; null takes the part out, undefined leaves it as it is. */
type Respell = (text: string, message: RequestMessage, context: StepContext) => string | null | undefined

type TextPairs = readonly (readonly [from: string, to: string | null])[]

interface HeadRetypedOptions {
  readonly toNewer?: Respell
  readonly toOlder?: Respell
  /** For each function. */
  readonly samples?: { readonly toNewer?: TextPairs; readonly toOlder?: TextPairs }
  readonly words?: string
}

/** A path, parameter or header of requests whose spelling differs; one that repeats is spelt each by itself. */
export function headRetyped(
  operations: Operations,
  spot: Spot,
  { toNewer, toOlder, samples = {}, words = `${spot} has another form` }: HeadRetypedOptions,
): Op {
  const step = (respell: Respell | undefined) =>
    respell &&
    stepOf<RequestMessage>(spot, (texts, message, context) =>
      texts.flatMap((text) => {
        const other = respell(text, message, context)
        return other === null ? [] : [other ?? text]
      }),
    )
  const rows = (pairs: TextPairs = []): ExampleRow[] => pairs.map(([from, to]) => [shown(spot, from), shown(spot, to)])
  return byHand(operations, words, { part: 'head', requestUp: step(toNewer), requestDown: step(toOlder) }, () => ({
    requestUp: rows(samples.toNewer),
    requestDown: rows(samples.toOlder),
  }))
}

export interface SetOptions {
  /** The value for an older client; null removes it. */
  readonly before?: string | null
  /** The value for a newer client. */
  readonly after?: string | null
  /** Only if the message does not have it, or has an empty one. */
  readonly ifMissing?: true
  /** Only where the query has the parameter with such a value. */
  readonly where?: (value: string, query: URLSearchParams) => boolean
}

/** A query parameter that every request gets: its default differs, or the bridge decides it. */
export const querySet = (operations: Operations, parameter: string, options: SetOptions): Op =>
  setInHead(operations, `query ${parameter}`, `query parameter ${parameter} is set`, options)

/** A header that every request gets. */
export const requestHeader = (operations: Operations, header: string, options: SetOptions): Op =>
  setInHead(operations, `header ${header}`, `request header ${header} is set`, options)

/** A response header whose value differs; null: it is absent. */
export const responseHeader = (
  operations: Operations,
  header: string,
  options: Pick<SetOptions, 'before' | 'after'>,
): Op => setInHead(operations, `header ${header}`, `response header ${header} differs`, options, 'response')

function setInHead(
  operations: Operations,
  spot: Spot,
  words: string,
  { before, after, ifMissing, where }: SetOptions,
  side: 'request' | 'response' = 'request',
): Op {
  const put = (value: string | null | undefined) => {
    if (value === undefined) return undefined
    return stepOf(spot, (texts, message) => {
      const [now] = texts
      if (ifMissing && (now ?? '') !== '') return texts
      if (where !== undefined && !(now !== undefined && 'query' in message && where(now, message.query))) return texts
      return value === null ? [] : [value]
    })
  }
  const rows = (value: string | null = null): ExampleRow[] => {
    const other = shown(spot, 'other')
    return [[ifMissing ? {} : other, shown(spot, value)], ...(ifMissing ? [[other] as const] : [])]
  }
  const byLeg = <T>(ofOlder: T, ofNewer: T): ByLeg<T> =>
    side === 'response' ? { responseDown: ofOlder, responseUp: ofNewer } : { requestUp: ofOlder, requestDown: ofNewer }
  return byHand(operations, words, { part: 'head', ...byLeg(put(before), put(after)) }, () =>
    byLeg(rows(before), rows(after)),
  )
}
