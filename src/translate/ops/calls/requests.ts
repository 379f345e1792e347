import { ProxyError } from '../../../api/errors.ts'
import { type OperationName, operationNamed } from '../../../api/operations.ts'
import { formatVersion } from '../../../api/version.ts'
import type { ExamplePart, Op } from '../../change.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { byHand, examplesIn, list } from '../by-hand.ts'
import { literally, refusalOf } from '../sample.ts'

type Operations = OperationName | readonly OperationName[]

/** Go's reading of a boolean parameter: anything but these is true (httputils/form.go:BoolValue). */
export const isTrue = (value: string | null): boolean =>
  value !== null && !['', '0', 'no', 'false', 'none'].includes(value.trim().toLowerCase())

export interface QueryAddedOptions {
  /** By default nothing is lost with it. */
  readonly onLoss?: OnLoss
  /** A value that says something: examples of each leg are made of it. */
  readonly sample?: string
  /** Values that mean the same as leaving it out. */
  readonly neutral?: readonly string[] | ((value: string, context: StepContext) => boolean)
  /** As of members (AddedOptions): `keep` for what confines; `always`: it goes with `--newer-fields pass`, too. */
  readonly request?: 'drop' | 'keep' | 'always'
}

/** A query parameter that exists from this version on: earlier engines ignored it. */
export function queryAdded(
  operations: Operations,
  parameter: string,
  { onLoss, sample, neutral = [], request }: QueryAddedOptions,
): Op {
  const what = `query parameter ${parameter}`
  const isNeutral = typeof neutral === 'function' ? neutral : (value: string) => neutral.includes(value)
  const op = byHand(operations, `${what} is new`, {
    ...{ part: 'head', stripsNewer: request === 'always' ? [] : ['requestUp'] },
    ...(onLoss === undefined ? {} : { onLoss, loses: what }),
    ...(request === 'always' ? { losesOn: 'requestDown' } : {}),
    requestUp:
      request === 'keep'
        ? undefined
        : ({ query }, context, { id }) => {
            if (!query.has(parameter)) return
            query.delete(parameter)
            context.ignore(what, id)
          },
    requestDown: ({ query }, context, { id, version }) => {
      const value = query.get(parameter)
      query.delete(parameter)
      if (onLoss === undefined || value === null || value === '' || isNeutral(value, context)) return
      context.lose({ what, needs: version, change: id, onLoss })
    },
  })
  const before = (value: string): ExamplePart => ({ query: `other=1&${new URLSearchParams({ [parameter]: value })}` })
  const after = { query: 'other=1' }
  const silent = ['', ...(typeof neutral === 'function' ? [] : neutral)]
  return {
    ...op,
    ...(request === 'keep' ? { keeps: `${list(operations).join(', ')} ${what}` } : {}),
    examples: examplesIn(operations, (change) => {
      if (sample === undefined) return {}
      const losses = onLoss === undefined ? [] : [what]
      const lost = onLoss === 'refuse' ? { after: { refused: refusalOf(what, change) } } : { after, losses }
      return {
        requestUp: [{ before: before(sample), after }],
        requestDown: [
          { before: before(sample), ...lost },
          ...silent.map((value) => ({ before: before(value), after, losses: [] })),
        ],
      }
    }),
  }
}

/**
 * An endpoint that exists from this version on. A newer client on an older engine is told the versions, with the status
 * `missing`: 404 where clients look for the one that the older engine itself would give. An older client passes through, as
 * on every real engine.
 */
export function endpointAdded(operations: Operations, { missing }: { missing: 501 | 404 }): Op {
  const names = list(operations)
  const called = (operation: OperationName): string => {
    const { method, path } = operationNamed(operation)
    return `${method} ${path}`
  }
  return {
    ...byHand(operations, 'new', {
      ...{ part: 'head', onLoss: 'refuse', loses: names.map(called).join(', ') },
      requestDown: (_message, { operation, engine }, { version }) => {
        throw new ProxyError(
          missing === 404 ? 'not-found' : 'endpoint-missing',
          `${called(operation)} needs API ${formatVersion(version)}; this engine has API ${formatVersion(engine.highest)}`,
        )
      },
    }),
    examples: ({ version }, only) =>
      names
        .filter((on) => only === undefined || on === only)
        .map((on) => {
          const refused = new RegExp(`^${literally(`${called(on)} needs API ${formatVersion(version)};`)}`)
          return { on, leg: 'requestDown', before: {}, after: { refused } }
        }),
  }
}
