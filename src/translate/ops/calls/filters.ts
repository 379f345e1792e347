import { ProxyError } from '../../../api/errors.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Example, Op, PlacedStep } from '../../change.ts'
import type { RequestMessage, StepContext } from '../../message.ts'
import { refusalOf } from '../sample.ts'
import { readFilters, takeFilter } from './filter-values.ts'

export interface FilterAddedOptions {
  /** Older engines ignored it: an older client's request loses it. */
  readonly ignored?: true
  /** What a newer client gets: the loss is refused, or the older engine's `Invalid filter 'key'`. By default it stays. */
  readonly newer?: 'refuse' | 'invalid'
}

/** A filter that exists from this version on. */
export function filterAdded(
  operations: OperationName | readonly OperationName[],
  key: string,
  { ignored, newer }: FilterAddedOptions,
): Op {
  const names = typeof operations === 'string' ? [operations] : operations
  const what = `filter ${key}`
  const ignore = (change: BoundChange) => (message: RequestMessage, context: StepContext) => {
    if (takeFilter(message.query, key) !== undefined) context.ignore(what, change.id)
  }
  const refuse = (change: BoundChange) => (message: RequestMessage, context: StepContext) => {
    const values = readFilters(message.query).get(key)
    if (values === undefined) return
    if (newer === 'invalid') throw new ProxyError('loss', `Invalid filter '${key}'`)
    if (values.length === 0) return
    context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
  }
  const steps = (change: BoundChange): PlacedStep[] =>
    names.flatMap((operation): PlacedStep[] => {
      const step = { operation, part: 'head', kind: 'step' } as const
      return [
        ...(ignored ? [{ ...step, leg: 'requestUp', stripsNewer: true, run: ignore(change) } as const] : []),
        ...(newer === undefined ? [] : [{ ...step, leg: 'requestDown', run: refuse(change) } as const]),
      ]
    })
  return {
    words: `${names.join(', ')}: ${what} is new`,
    ...(newer === undefined ? {} : { loss: { what, onLoss: ['refuse'] } }),
    steps,
    examples: (change, on = names[0]) => (on === undefined ? [] : examplesOn(on, key, newer, change)),
  }
}

/** In either form of filters, beside another that stays. */
function examplesOn(
  on: OperationName,
  key: string,
  newer: FilterAddedOptions['newer'],
  change: BoundChange,
): Example[] {
  const [list, map] = [`filters={"${key}":["x"],"other":["y"]}`, `filters={"${key}":{"x":true}}`]
  const others = { query: 'filters={"other":["y"]}' }
  const refused = newer === 'invalid' ? new RegExp(`^Invalid filter '${key}'$`) : refusalOf(`filter ${key}`, change)
  return [
    { on, leg: 'requestUp', before: { query: list }, after: others },
    { on, leg: 'requestUp', before: { query: map }, after: { query: '' } },
    { on, leg: 'requestDown', before: { query: list }, after: { refused } },
    { on, leg: 'requestDown', before: { query: map }, after: { refused } },
    { on, leg: 'requestDown', before: others, after: others },
  ]
}
