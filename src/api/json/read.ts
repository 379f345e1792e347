import { ProxyError } from '../errors.ts'
import { isObject, type JsonValue, parseExactJson, parseExactly } from './json.ts'
import { putAsGo } from './names.ts'
import { JsonReader } from './reader.ts'
import { scan } from './scan.ts'

export interface ReadBody {
  /** Undefined for invalid JSON. */
  readonly value: JsonValue | undefined
  /** The text repeats a member, so the body must be written anew to be unambiguous. */
  readonly ambiguous: boolean
  /** The text after the value; '' if only white space. */
  readonly rest: string
}

const NO_JSON: ReadBody = { value: undefined, ambiguous: false, rest: '' }

/**
 * Reads a client's JSON as the engine will, for translation, validation and policy alike: only the first value counts
 * (engines up to 20.10 read no further), and duplicated members are merged. Throws a ProxyError if a limit is exceeded.
 */
export function readAsGo(text: string): ReadBody {
  const scanned = scan(text)
  if (scanned.kind === 'beyond') throw new ProxyError('bad-request', scanned.words)
  if (scanned.kind === 'broken') return NO_JSON
  const { end, members, escapedName, longNumber } = scanned
  const behind = text.slice(end)
  const rest = /^[ \t\r\n]*$/.test(behind) ? '' : behind
  const first = rest === '' ? text : text.slice(0, end)
  if (!escapedName) {
    const value = longNumber ? parseExactly(first) : (JSON.parse(first) as JsonValue)
    if (countMembers(value) === members) return { value, ambiguous: false, rest }
  }
  const value = new JsonReader(first, parseExactJson, putAsGo).value()
  return { value, ambiguous: countMembers(value) !== members, rest }
}

/** encoding/json's error for invalid JSON; '' for valid JSON. */
export function goError(text: string): string {
  const scanned = scan(text)
  return scanned.kind === 'broken' ? scanned.words : ''
}

function countMembers(value: JsonValue): number {
  let count = 0
  if (Array.isArray(value)) for (const element of value) count += countMembers(element)
  else if (isObject(value)) {
    // On a hundred thousand members Object.values takes twice as long.
    for (const name in value) {
      const member = value[name]
      count += typeof member === 'object' ? 1 + countMembers(member) : 1
    }
  }
  return count
}
