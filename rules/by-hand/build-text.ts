import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'

/** The text of a build record (its `stream` member); undefined if it has none. */
export const printed = (record: JsonValue | undefined): string | undefined =>
  isObject(record) && typeof record['stream'] === 'string' ? record['stream'] : undefined

/** A step that replaces the part of a record's text that matches. */
export const reprinted =
  (pattern: RegExp, by: (...found: string[]) => string) =>
  ({ body }: ResponseMessage): void => {
    const text = printed(body)
    if (isObject(body) && text !== undefined) body['stream'] = text.replace(pattern, by)
  }

const HELD = 'build: lines about removed containers'

/** Puts `Removing intermediate container` behind the image of its step, in the same record; a step that fails has none, and loses the line. */
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
