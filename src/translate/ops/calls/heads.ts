import type { ExamplePart, Op } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { byHand, type Operations } from '../by-hand.ts'
import { editFilters, readFilters } from './filter-values.ts'

/** A part of a head. */
type Spot = 'path' | `query ${string}` | `filter ${string}` | `header ${string}` | `response header ${string}`

type Head = RequestMessage | ResponseMessage

/** The new text, or several; null removes the part, undefined keeps it. Called for each value of a parameter or filter. */
type Respell = (
  text: string,
  message: RequestMessage,
  context: StepContext,
) => string | readonly string[] | null | undefined

/** Maps texts; others stay, and null removes one. */
type Pairs = readonly (readonly [from: string, to: string | null])[]

/** A function (for requests), pairs, or the text of every message; null: none. */
type Spelling = Respell | Pairs | string | null

/** A value without a second one stays as it is. */
type Samples = readonly (readonly [from: string | null, to?: string | null])[]

export interface HeadRetypedOptions {
  readonly toNewer?: Spelling
  readonly toOlder?: Spelling
  /** The text is a default: only messages without one, or with an empty one, get it. */
  readonly ifMissing?: true
  /** Further examples, for the one function or pairs that there are, or for each. */
  readonly samples?: Samples | { readonly toNewer?: Samples; readonly toOlder?: Samples }
  readonly description?: string
}

/** A path, parameter, filter or header whose text or default differs, or that the bridge decides. */
export function headRetyped(operations: Operations, spot: Spot, options: HeadRetypedOptions): Op {
  const { toNewer, toOlder, ifMissing, samples = {}, description = describe(spot, toNewer, toOlder) } = options
  const step = (to: Spelling | undefined) => (to === undefined ? undefined : stepOf(spot, to, ifMissing))
  const given = 'length' in samples ? { toNewer: samples, toOlder: samples } : samples
  const rows = (to: Spelling | undefined, more: Samples = []): ExampleRow[] => {
    const all = [...pairsOf(to, ifMissing), ...more]
    return all.map(([from, text = from]) => [from === null ? {} : shown(spot, from), shown(spot, text)])
  }
  const [up, down] = spot.startsWith('response ')
    ? (['responseUp', 'responseDown'] as const)
    : (['requestUp', 'requestDown'] as const)
  return byHand(operations, description, { part: 'head', [up]: step(toNewer), [down]: step(toOlder) }, () => ({
    [up]: rows(toNewer, given.toNewer),
    [down]: rows(toOlder, given.toOlder),
  }))
}

function describe(spot: Spot, ...spellings: readonly (Spelling | undefined)[]): string {
  const given = spellings.filter((to) => to !== undefined)
  if (given.some((to) => typeof to === 'function' || isPairs(to))) return `${spot} has another form`
  const done = given.map((to) => (to === null ? 'left out' : 'set'))
  return `${spot} is ${[...new Set(done)].join(' or ')}`
}

function stepOf(spot: Spot, to: Spelling, ifMissing: true | undefined) {
  const put = (texts: readonly string[]) => (to === null ? [] : ifMissing && texts[0] ? texts : [String(to)])
  return (message: Head, context: StepContext): void => {
    const texts = textsAt(message, spot)
    const otherThan = (text: string) => {
      if (isPairs(to)) return to.find(([from]) => from === text)?.[1]
      return typeof to === 'function' && 'query' in message ? to(text, message, context) : undefined
    }
    const isSpelt = isPairs(to) || typeof to === 'function'
    const others = isSpelt ? texts.flatMap((text) => respelt(text, otherThan(text))) : put(texts)
    if (others.length !== texts.length || others.some((text, i) => text !== texts[i])) write(message, spot, others)
  }
}

const isPairs = (to: Spelling): to is Pairs => Array.isArray(to)

const respelt = (text: string, other: ReturnType<Respell>): string[] => (other === null ? [] : [other ?? text].flat())

const nameOf = (spot: Spot): string => spot.slice(spot.lastIndexOf(' ') + 1)

/** The texts at a spot; a parameter may repeat, a filter have several, a missing part has none. */
function textsAt(message: Head, spot: Spot): readonly string[] {
  if (spot === 'path') return 'path' in message ? [message.path] : []
  if (spot.startsWith('query ')) return 'query' in message ? message.query.getAll(nameOf(spot)) : []
  if (spot.startsWith('filter ')) return 'query' in message ? (readFilters(message.query).get(nameOf(spot)) ?? []) : []
  const text = message.headers.get(nameOf(spot))
  return text === undefined ? [] : [text]
}

function write(message: Head, spot: Spot, texts: readonly string[]): void {
  const name = nameOf(spot)
  const [first, ...more] = texts
  if (spot.startsWith('filter ') && 'query' in message) {
    const values = [...new Set(texts)]
    editFilters(message.query, (filters) => (values.length > 0 ? filters.set(name, values) : filters.delete(name)))
    return
  }
  if (spot === 'path' && 'path' in message) {
    message.path = first ?? message.path
    return
  }
  // A spread of the message would lose its query, which is a getter.
  const holder = spot.startsWith('query ') && 'query' in message ? message.query : message.headers
  if (first === undefined) holder.delete(name)
  else holder.set(name, first)
  for (const text of more) holder.append(name, text)
}

/** Pairs, and a text that every message gets, are their own samples. */
function pairsOf(to: Spelling | undefined, ifMissing: true | undefined): Samples {
  if (to === undefined || typeof to === 'function') return []
  if (isPairs(to)) return to
  return ifMissing ? [[null, to], ['other']] : [['other', to]]
}

/** A head with this text at the spot, or without; for examples. */
function shown(spot: Spot, text: string | null): ExamplePart {
  if (spot === 'path') return { path: text ?? '' }
  if (spot.startsWith('filter ')) return { query: `filters=${JSON.stringify({ [nameOf(spot)]: [text] })}` }
  if (!spot.startsWith('query ')) return { headers: { [nameOf(spot)]: text } }
  return { query: text === null ? '' : String(new URLSearchParams({ [nameOf(spot)]: text })) }
}
