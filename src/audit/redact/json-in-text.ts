import { asJson, type JsonValue } from '../../api/json/json.ts'
import { MAX_DEPTH, scan } from '../../api/json/scan.ts'

/** JSON too deep or too large to be redacted: none of it is shown. */
export const BEYOND = Symbol('beyond')

/** Parses a text as JSON; undefined if it is none. */
export function jsonIn(text: string): JsonValue | typeof BEYOND | undefined {
  // A shorter text cannot nest too deeply.
  if (text.length > 2 * MAX_DEPTH && scan(text).kind === 'beyond') return BEYOND
  return asJson(text)
}
