import { type ErrorCode, ProxyError } from '../../../api/errors.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Example, ExamplePart, Op, RequestLeg } from '../../change.ts'
import type { RequestMessage, StepContext } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'
import { literally } from '../sample.ts'

interface CallRefusedOptions {
  /** Status and text of the error, as the engine of the client's version says it: `404 no such id: ""`; undefined passes. */
  readonly says: (message: RequestMessage, context: StepContext) => `${number} ${string}` | undefined
  readonly code?: ErrorCode
  /** By default a newer client's call, which an older engine would not refuse. */
  readonly leg?: RequestLeg
  /** Looks at the body. */
  readonly part?: 'head' | 'body'
  /** Calls, with the text of their error. */
  readonly samples: readonly (readonly [
    call: ExamplePart,
    text: string,
    circumstances?: Pick<Example, 'client' | 'params'>,
  ])[]
  readonly stay?: readonly ExamplePart[]
}

/** Calls that the engine of the client's version refuses, and the other does not, or in other words. */
export function callRefused(
  operations: OperationName | readonly OperationName[],
  words: string,
  { says, code = 'validation', leg = 'requestDown', part = 'head', samples, stay = [] }: CallRefusedOptions,
): Op {
  const refuse = (message: RequestMessage, context: StepContext): void => {
    const said = says(message, context)
    if (said === undefined) return
    throw new ProxyError(code, said.slice('404 '.length), { status: Number.parseInt(said, 10) })
  }
  return {
    ...byHand(operations, words, { part, ...(code === 'loss' ? { onLoss: 'refuse' } : {}), [leg]: refuse }),
    examples: examplesIn(operations, () => ({
      [leg]: [
        ...samples.map(([before, text, circumstances]) => ({
          before,
          after: { refused: new RegExp(`^${literally(text)}$`) },
          ...circumstances,
        })),
        ...stay.map((before) => ({ before, after: before })),
      ],
    })),
  }
}
