import { ProxyError } from '../errors.ts'
import { isObject, type JsonValue, parseExactJson, parseExactly } from './json.ts'
import { putAsGo } from './names.ts'
import { JsonReader } from './reader.ts'
import { scan } from './scan.ts'

export interface ReadBody {
  /** Undefined: no JSON. */
  readonly value: JsonValue | undefined
  /** Whether the text says a member twice, so that only the value written anew says for certain what is meant. */
  readonly ambiguous: boolean
  /** What stands behind the value: '' when nothing but space does. */
  readonly rest: string
}

const NO_JSON: ReadBody = { value: undefined, ambiguous: false, rest: '' }

/**
 * Reads JSON that a client wrote as the engine will, for translation, validation and policy alike: the first value counts
 * (engines up to 20.10 look no further), a member that comes twice is merged. Throws a ProxyError when it is beyond the bounds.
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

/** What encoding/json says of a text that is no JSON; '' of any other. */
export function goError(text: string): string {
  const scanned = scan(text)
  return scanned.kind === 'broken' ? scanned.words : ''
}

function countMembers(value: JsonValue): number {
  let count = 0
  if (Array.isArray(value)) for (const element of value) count += countMembers(element)
  else if (isObject(value)) {
    // Of a hundred thousand members Object.values makes twice the work that their names do.
    for (const name in value) {
      const member = value[name]
      count += typeof member === 'object' ? 1 + countMembers(member) : 1
    }
  }
  return count
}
