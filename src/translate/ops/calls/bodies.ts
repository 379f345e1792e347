import type { JsonValue } from '../../../api/json/json.ts'
import { type OperationName, operationNamed } from '../../../api/operations.ts'
import type { Op } from '../../change.ts'
import type { ResponseMessage } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'
import { byPairs, type Pairs } from '../members/values.ts'

interface BodyRetypedOptions {
  readonly toOlder: Pairs | ((body: JsonValue) => JsonValue | undefined)
  /** Bodies in the newer and in the older version, where a function makes one of the other. */
  readonly samples?: Pairs
  readonly words: string
}

/** A whole body, or record of a stream, that an older client gets in another form. */
export function bodyRetyped(operation: OperationName, { toOlder, samples, words }: BodyRetypedOptions): Op {
  const spell = typeof toOlder === 'function' ? toOlder : byPairs(toOlder)
  const shown = samples ?? (typeof toOlder === 'function' ? [] : toOlder)
  const isProgress = operationNamed(operation).response === 'progress'
  const responseDown = (message: ResponseMessage): void => {
    const other = message.body === undefined ? undefined : spell(message.body)
    if (other !== undefined) message.body = other
  }
  return {
    ...byHand(operation, words, { ...(isProgress ? { elementwise: true } : {}), responseDown }),
    examples: examplesIn(operation, () => ({
      responseDown: shown.map(([from, to]) => ({ before: { body: from }, after: { body: to } })),
    })),
  }
}
