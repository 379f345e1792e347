import { isObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { inOlderWords } from '../by-hand/error-words.ts'

/** The records of a collected stream: a single value, or lines. Engines 1.11 and 1.12 also answer plain text. */
function recordsOf({ body, text }: ResponseMessage): JsonValue[] {
  if (body !== undefined) return [body]
  return (text ?? '').split(/\r?\n/).flatMap((line) => {
    try {
      return line.startsWith('{') ? [parseJson(line)] : []
    } catch (cause) {
      if (cause instanceof SyntaxError) return []
      throw cause
    }
  })
}

/** The answer of engine 1.10 to a load: empty, or 500 with the text of the error. */
export function loadOutcome(message: ResponseMessage, context: StepContext): void {
  const failed = recordsOf(message).find((record) => isObject(record) && typeof record['error'] === 'string')
  message.headers.delete('Content-Type')
  message.body = undefined
  message.text = ''
  if (!isObject(failed)) return
  message.status = 500
  message.text = String(failed['error'])
  if (context.policy.profile === 'engine') inOlderWords(message, context)
}
