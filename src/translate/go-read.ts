import { decodeAsGo } from '../api/validation/go-json.ts'
import { Refusal } from '../errors.ts'
import { putAsGo } from './go-names.ts'
import { isObject, type JsonValue, parseExactJson } from './json.ts'
import { endOfString, JsonReader } from './json-reader.ts'

/** Go stops at 10,000 (encoding/json, maxNestingDepth), where the stack would be gone; nobody means a tenth of it. */
export const MAX_DEPTH = 1000

export interface ReadBody {
  /** Undefined: no JSON. */
  readonly value: JsonValue | undefined
  /** Whether the text says a member twice, so that only the value written anew says for certain what is meant. */
  readonly ambiguous: boolean
  /** What stands behind the value: '' when nothing but space does. */
  readonly rest: string
}

/**
 * Reads a request body as the engine will: the first value counts (engines up to 20.10 look no further), a member that
 * comes twice is merged. What was looked at and what the engine understands must never be two things. Throws a Refusal
 * when it is nested too deeply.
 */
export function readAsGo(text: string): ReadBody {
  const { members, depth } = measure(text)
  if (depth > MAX_DEPTH) throw new Refusal('bad-request', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
  const { value, rest } = firstValue(text)
  const holds = Array.isArray(value) || isObject(value)
  if (!holds || members === countMembers(value)) return { value, ambiguous: false, rest }
  return { value: new JsonReader(text, parseExactJson, putAsGo).value(), ambiguous: true, rest }
}

function firstValue(text: string): { value: JsonValue | undefined; rest: string } {
  try {
    return { value: parseExactJson(text), rest: '' }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  const decoded = decodeAsGo(text)
  if ('error' in decoded) return { value: undefined, rest: '' }
  try {
    return { value: parseExactJson(text.slice(0, decoded.end)), rest: text.slice(decoded.end) }
  } catch (cause) {
    if (cause instanceof SyntaxError) return { value: undefined, rest: '' }
    throw cause
  }
}

/** Members written and the deepest nesting of the first value, in one pass and without parsing. */
function measure(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let level = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at + 1) - 1
        break
      case 0x3a: // :
        members++
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++level > depth) depth = level
        if (depth > MAX_DEPTH) return { members, depth }
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (--level <= 0) return { members, depth }
        break
      default:
    }
  }
  return { members, depth }
}

function countMembers(value: JsonValue | undefined): number {
  let count = 0
  if (Array.isArray(value)) for (const element of value) count += countMembers(element)
  else if (isObject(value)) for (const name of Object.keys(value)) count += 1 + countMembers(value[name])
  return count
}
