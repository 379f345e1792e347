import { ProxyError } from '../errors.ts'
import { type JsonValue, setMember } from './json.ts'
import { putAsGo, RepeatedMembers } from './names.ts'
import { readFirst } from './reader.ts'

export interface ReadBody {
  /** Undefined for invalid JSON. */
  readonly value: JsonValue | undefined
  /** The text repeats a member, so the body must be written anew to be unambiguous. */
  readonly ambiguous: boolean
  /** The text after the value; '' if only white space. */
  readonly rest: string
}

/**
 * Reads a client's JSON as the engine will, for translation, validation and policy alike: only the first value counts
 * (engines up to 20.10 read no further), and duplicated members are merged. Throws a ProxyError if a limit is exceeded.
 */
export function readAsGo(text: string): ReadBody {
  const repeated = new RepeatedMembers()
  const read = readFirst(text, (object, name, value) => putAsGo(object, name, value, repeated))
  if (read.kind === 'beyond') throw new ProxyError('bad-request', read.words)
  if (read.kind === 'broken') return { value: undefined, ambiguous: false, rest: '' }
  const behind = text.slice(read.end)
  const ambiguous = repeated.any
  repeated.settleAll()
  return { value: read.value, ambiguous, rest: /^[ \t\r\n]*$/.test(behind) ? '' : behind }
}

/** encoding/json's error for invalid JSON; '' for valid JSON. */
export function goError(text: string): string {
  const read = readFirst(text, setMember)
  return read.kind === 'broken' ? read.words : ''
}
