import type { OperationName } from '../../../api/operations.ts'
import type { ExamplePart, Op } from '../../change.ts'
import type { RequestMessage, StepContext } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'

/** A part of a request's head. */
type Spot = 'path' | `query ${string}` | `header ${string}`

/** Another spelling; null takes the part out, undefined leaves it as it is. */
type Respell = (text: string, message: RequestMessage, context: StepContext) => string | null | undefined

type TextPairs = readonly (readonly [from: string, to: string | null])[]

interface HeadRetypedOptions {
  readonly toNewer?: Respell
  readonly toOlder?: Respell
  /** In the older and in the newer version, or for each function. */
  readonly samples?: TextPairs | { readonly toNewer?: TextPairs; readonly toOlder?: TextPairs }
  readonly words?: string
}

/** A path, parameter or header of requests whose spelling differs; one that repeats is spelt each by itself. */
export function headRetyped(
  operations: OperationName | readonly OperationName[],
  spot: Spot,
  { toNewer, toOlder, samples = [], words = `${spot} has another form` }: HeadRetypedOptions,
): Op {
  const [part = '', name = ''] = spot.split(' ')
  const step = (respell: Respell | undefined) =>
    respell && ((message: RequestMessage, context: StepContext) => rewrite(message, part, name, respell, context))
  const shown = (text: string | null): ExamplePart => {
    if (part === 'path') return { path: text ?? '' }
    if (part === 'header') return { headers: { [name]: text } }
    return { query: text === null ? '' : String(new URLSearchParams({ [name]: text })) }
  }
  const cases = (pairs: TextPairs = []) => pairs.map(([from, to]) => ({ before: shown(from), after: shown(to) }))
  const given = isPairs(samples)
    ? { toNewer: samples, toOlder: samples.map(([older, newer]) => [newer ?? '', older] as const) }
    : samples
  return {
    ...byHand(operations, words, { part: 'head', requestUp: step(toNewer), requestDown: step(toOlder) }),
    examples: examplesIn(operations, () => ({
      requestUp: cases(given.toNewer),
      requestDown: cases(given.toOlder),
    })),
  }
}

const isPairs = (samples: HeadRetypedOptions['samples']): samples is TextPairs => Array.isArray(samples)

function rewrite(message: RequestMessage, part: string, name: string, respell: Respell, context: StepContext): void {
  const spelt = (text: string): string | null => {
    const other = respell(text, message, context)
    return other === undefined ? text : other
  }
  const { query, headers } = message
  if (part === 'path') message.path = spelt(message.path) ?? message.path
  else if (part === 'header') {
    const text = headers.get(name)
    const other = text === undefined ? undefined : spelt(text)
    if (other === null) headers.delete(name)
    else if (other !== undefined && other !== text) headers.set(name, other)
  } else {
    const texts = query.getAll(name)
    const others = texts.map(spelt).filter((text) => text !== null)
    if (others.length === texts.length && others.every((text, i) => text === texts[i])) return
    const [first, ...more] = others
    if (first === undefined) query.delete(name)
    else query.set(name, first)
    for (const text of more) query.append(name, text)
  }
}
