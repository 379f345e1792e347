import { type ErrorCode, ProxyError } from '../../../api/errors.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { BoundChange, Op, RequestLeg } from '../../change.ts'
import type { OnLoss, RequestMessage, StepContext } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'
import { literally, refusalOf } from '../sample.ts'

export interface QueryRefusedOptions {
  readonly leg: RequestLeg
  /** Names what the engine cannot do; undefined if there is nothing. */
  readonly finds: (query: URLSearchParams, context: StepContext) => string | undefined
  /** The finding is the error of engines of the client's version, with this code; by default a loss that is refused. */
  readonly says?: ErrorCode
  readonly status?: number
  /** By default the loss is refused. */
  readonly onLoss?: OnLoss
  /** Queries that are refused, with the finding. */
  readonly samples: readonly (readonly [query: string, found: string, circumstances?: { client?: string }])[]
  /** Queries that stay. */
  readonly stay?: readonly string[]
}

/** Refuses queries that the engine would read in another way than engines of the client's version. */
export function queryRefused(
  operations: OperationName | readonly OperationName[],
  words: string,
  options: QueryRefusedOptions,
): Op {
  const { leg, finds, says, status, onLoss = 'refuse', samples, stay = [] } = options
  return {
    ...byHand(operations, `${words} ${says === undefined ? 'is a loss' : 'is refused'}`, {
      ...{ part: 'head', loses: words, losesOn: leg },
      ...(says === undefined ? { onLoss } : {}),
      [leg]: ({ query }: RequestMessage, context: StepContext, { id, version }: BoundChange) => {
        const what = finds(query, context)
        if (what === undefined) return
        if (says !== undefined) throw new ProxyError(says, what, status === undefined ? {} : { status })
        context.lose({ what, needs: version, change: id, onLoss })
      },
    }),
    examples: examplesIn(operations, (change) => ({
      [leg]: [
        ...samples.map(([query, what, circumstances]) => {
          if (onLoss !== 'refuse') return { before: { query }, after: {}, losses: [what] }
          const refused = says === undefined ? refusalOf(what, change) : new RegExp(`^${literally(what)}$`)
          return { before: { query }, after: { refused }, ...circumstances }
        }),
        ...stay.map((query) => ({ before: { query }, after: { query } })),
      ],
    })),
  }
}
