import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { BuildRecord } from '../../src/api/shapes/shapes.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'
import { type Op, retyped } from '../../src/translate/ops.ts'

/** The text of a build record (its `stream` member); undefined if it has none. */
export const printed = (record: JsonValue | undefined): string | undefined =>
  isObject(record) && typeof record['stream'] === 'string' ? record['stream'] : undefined

/** Replaces a pattern in the text of records, for older clients. */
export const printedOtherwise = (pattern: RegExp, by: (found: string) => string, samples: Pairs): Op =>
  retyped(BuildRecord, 'stream', {
    samples,
    toOlder: (text) => (typeof text === 'string' ? text.replace(pattern, by) : undefined),
  })

const HELD = 'build: lines about removed containers'

/**
 * Moves the line `Removing intermediate container` into the record with the image id of its step, after it. A failed step
 * has no such record and loses the line.
 */
export function removedAfterImage({ body }: ResponseMessage, context: StepContext): 'drop' | undefined {
  const text = printed(body)
  if (!isObject(body) || text === undefined) return undefined
  const held = String(context.memory.get(HELD) ?? '')
  if (text.startsWith('Removing intermediate container ')) {
    context.memory.set(HELD, held + text)
    return 'drop'
  }
  if (held !== '' && /^ ---> [0-9a-f]{12}\n$/.test(text)) {
    context.memory.delete(HELD)
    body['stream'] = text + held
  }
  return undefined
}
