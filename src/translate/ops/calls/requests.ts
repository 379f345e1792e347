import type { Op } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { byHand, list, type Operations } from '../by-hand.ts'
import { lost } from '../sample.ts'

/** Go's reading of a boolean parameter: anything but these is true (httputils/form.go:BoolValue). */
export const isTrue = (value: string | null): boolean =>
  value !== null && !['', '0', 'no', 'false', 'none'].includes(value.trim().toLowerCase())

/** A switch that is off says the same as none. */
export const isFalse = (value: string): boolean => !isTrue(value)

export interface QueryAddedOptions {
  /** By default removing the value loses nothing. */
  readonly onLoss?: OnLoss
  /** A value other than the default, from which the examples of each leg are made. */
  readonly sample?: string
  /** Values that mean the same as leaving it out. */
  readonly neutral?: readonly string[] | ((value: string, context: StepContext) => boolean)
  /** As of members (AddedOptions): `keep` for what confines; `always`: it goes with `--newer-fields pass`, too. */
  readonly request?: 'drop' | 'keep' | 'always'
  /** Values that confine: they stay in an older client's request, the others do not. */
  readonly confining?: readonly string[]
}

/** A query parameter that exists from this version on: earlier engines ignored it. */
export function queryAdded(
  operations: Operations,
  parameter: string,
  { onLoss, sample, neutral = [], request = 'drop', confining = [] }: QueryAddedOptions,
): Op {
  const what = `query parameter ${parameter}`
  const isNeutral = typeof neutral === 'function' ? neutral : (value: string) => neutral.includes(value)
  const silent = ['', ...(typeof neutral === 'function' ? [] : neutral)]
  const query = (value: string): string => `other=1&${new URLSearchParams({ [parameter]: value })}`
  const op = byHand(
    operations,
    `${what} is new`,
    {
      ...{ part: 'head', stripsNewer: request === 'always' ? [] : ['requestUp'], loses: what },
      ...(onLoss === undefined ? {} : { onLoss }),
      ...(request === 'always' ? { losesOn: 'requestDown' } : {}),
      requestUp:
        request === 'keep'
          ? undefined
          : ({ query }, context, { id }) => {
              const values = query.getAll(parameter)
              const kept = values.filter((value) => confining.includes(value))
              if (kept.length === values.length) return
              query.delete(parameter)
              for (const value of kept) query.append(parameter, value)
              context.ignore(what, id)
            },
      requestDown: ({ query }, context, { id, version }) => {
        // All of its values: some engines read every one (`platforms`), others refuse a second (`platform`).
        const isLoss = query.getAll(parameter).some((value) => value !== '' && !isNeutral(value, context))
        query.delete(parameter)
        if (onLoss !== undefined && isLoss) context.lose({ what, needs: version, change: id, onLoss })
      },
    },
    (change) =>
      sample === undefined
        ? {}
        : {
            requestUp: [[query(sample), 'other=1'], ...confining.map((value): ExampleRow => [query(value)])],
            requestDown: [
              ...[query(sample), `${query('')}&${new URLSearchParams({ [parameter]: sample })}`].map((before) =>
                lost(before, 'other=1', what, onLoss, change),
              ),
              ...silent.map((value): ExampleRow => [query(value), 'other=1', { losses: [] }]),
            ],
          },
  )
  const kept = request === 'keep' ? what : confining.length > 0 ? `${what}=${confining.join('|')}` : undefined
  return kept === undefined ? op : { ...op, keeps: `${list(operations).join(', ')} ${kept}` }
}
