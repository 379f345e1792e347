import { asJson, type JsonValue } from '../../api/json/json.ts'
import { MAX_DEPTH, scan } from '../../api/json/scan.ts'

/** JSON that is nested more deeply, or has more values, than is walked: nothing of it is shown. */
export const BEYOND = Symbol('beyond')

/** The value of a text that is JSON; undefined where it is none. */
export function jsonIn(text: string): JsonValue | typeof BEYOND | undefined {
  // A shorter text cannot close as many objects and lists as would be too deep.
  if (text.length > 2 * MAX_DEPTH && scan(text).kind === 'beyond') return BEYOND
  return asJson(text)
}
