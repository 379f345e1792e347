import { ProxyError } from '../../../api/errors.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Op } from '../../change.ts'
import { byHand, examplesIn } from '../by-hand.ts'
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
  const what = `filter ${key}`
  const op = byHand(operations, `${what} is new`, {
    ...{ part: 'head', stripsNewer: ['requestUp'], loses: what },
    ...(newer === undefined ? {} : { onLoss: 'refuse' }),
    requestUp: ignored
      ? ({ query }, context, { id }) => {
          if (takeFilter(query, key) !== undefined) context.ignore(what, id)
        }
      : undefined,
    requestDown:
      newer === undefined
        ? undefined
        : ({ query }, context, { id, version }) => {
            const values = readFilters(query).get(key)
            if (values === undefined) return
            if (newer === 'invalid') throw new ProxyError('loss', `Invalid filter '${key}'`)
            if (values.length > 0) context.lose({ what, needs: version, change: id, onLoss: 'refuse' })
          },
  })
  // In either form of filters, beside another that stays.
  const [list, map] = [`filters={"${key}":["x"],"other":["y"]}`, `filters={"${key}":{"x":true}}`]
  const others = { query: 'filters={"other":["y"]}' }
  return {
    ...op,
    examples: examplesIn(operations, (change) => {
      const refused = newer === 'invalid' ? new RegExp(`^Invalid filter '${key}'$`) : refusalOf(what, change)
      return {
        requestUp: [
          { before: { query: list }, after: others },
          { before: { query: map }, after: { query: '' } },
        ],
        requestDown: [
          ...[list, map].map((query) => ({ before: { query }, after: { refused } })),
          { before: others, after: others },
        ],
      }
    }),
  }
}
