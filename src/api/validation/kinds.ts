import { words as wordsOf } from '../../config/text.ts'
import { integer, isObject, isUnset, type JsonObject, type JsonValue } from '../json/json.ts'
import { Names } from '../json/names.ts'
import { type ApiVersion, byVersion, isOlder } from '../version.ts'
import { AND_LATER, LAST_SPECIFIED, type Say } from './finding.ts'

/**
 * The type of a member or parameter at a version: checks the value of `field`; '' is the whole body. `null` always
 * means "not set" (encoding/json).
 */
export type Kind = (value: JsonValue, field: string, say: Say, version: ApiVersion) => void

export type Kinds = Readonly<Record<string, Kind>>

/** `[a-Z]` or `ctrl-<value>`, comma-separated (specification 4.1, after the archive rules). */
const KEY = '(?:[a-zA-Z]|ctrl-[a-z@^\\[,_\\\\])'
export const DETACH_KEYS = new RegExp(`^${KEY}(?:,${KEY})*$`)

/** A value that must satisfy `holds`; `words` follow the field's name in the finding. */
export const kind =
  (words: string, holds: (value: JsonValue) => boolean): Kind =>
  (value, field, say) => {
    if (!holds(value)) say(field, words)
  }

const isText = (value: JsonValue): value is string => typeof value === 'string'

export const anything: Kind = () => undefined
export const text = kind('must be a string', isText)
export const flag = kind('must be true or false', (value) => typeof value === 'boolean')
export const textOrList = kind(
  'must be a string or a list of strings',
  (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
)
/** For the values of `ExposedPorts` and `Volumes`. */
export const emptyObject = kind('must be an empty object', (one) => isObject(one) && Object.keys(one).length === 0)

export const intLike = (words: string, holds: (value: bigint) => boolean): Kind =>
  kind(words, (value) => {
    const number = integer(value)
    return number !== undefined && holds(number)
  })
export const int = intLike('must be an integer', () => true)

/** One kind below `version`, another from it on. */
export const before =
  (boundary: number, older: Kind, newer: Kind): Kind =>
  (value, field, say, version) =>
    (isOlder(version, boundary) ? older : newer)(value, field, say, version)

/** The kind of the last row at or below the version. */
export const atVersion = (rows: Kinds): Kind => {
  const kindAt = byVersion(rows)
  return (value, field, say, version) => kindAt(version)(value, field, say, version)
}

/** A string that must match; `''` means "not set". */
export const like = (words: string, matches: RegExp): Kind =>
  kind(words, (value) => value === '' || (isText(value) && matches.test(value)))

/** The same, checked up to the last specified version. */
export const specified = (words: string, matches: RegExp): Kind =>
  before(LAST_SPECIFIED + 1, like(words, matches), text)

/** A part of the API from `first` on. Older clients may send values that mean "not set". */
export const since = (
  first: number,
  later: Kind,
  unset: (value: JsonValue) => boolean = isUnset,
  noun = 'member',
): Kind => before(first, kind(`is a ${noun} of API 1.${first}${AND_LATER}`, unset), later)

/** The same kind for several names. */
export const each = (names: string, one: Kind): Kinds => Object.fromEntries(wordsOf(names).map((name) => [name, one]))

export const listOf =
  (element: Kind): Kind =>
  (list, field, say, version) => {
    if (!Array.isArray(list)) say(field, 'must be a list')
    else for (const [i, one] of list.entries()) if (one !== null) element(one, `${field}[${i}]`, say, version)
  }

export const mapOf =
  (value: Kind, key: Kind = anything): Kind =>
  (map, field, say, version) => {
    if (!isObject(map)) return say(field, 'must be an object')
    for (const [name, one = null] of Object.entries(map)) {
      if (one !== null) value(one, inside(field, name), say, version)
      key(name, inside(field, name), say, version)
    }
  }

const inside = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/** A rule about several members of one object; the finding is about `field`. */
export const rule =
  (field: string, words: string, breaks: (object: JsonObject) => boolean): Kind =>
  (object, around, say) => {
    if (isObject(object) && breaks(object)) say(inside(around, field), words)
  }

/** An object with these members, which follows these rules. Other members are accepted. */
export function object(members: Kinds, ...rules: readonly Kind[]): Kind {
  const fields = new Names(Object.keys(members))
  const kinds = Object.entries(members)
  return (value, field, say, version) => {
    if (!isObject(value)) return say(field, 'must be an object')
    const seen = slice(value, fields)
    for (const [name, one] of kinds) {
      const member = seen[name] ?? null
      if (member !== null) one(member, inside(field, name), say, version)
    }
    for (const one of rules) one(seen, field, say, version)
  }
}

/** The checked fields in canonical spelling: Go matches names case-insensitively, the last one wins. */
function slice(object: JsonObject, fields: Names): JsonObject {
  const copy: JsonObject = {}
  for (const name of Object.keys(object)) {
    const field = fields.field(name)
    if (field !== undefined) copy[field] = object[name]
  }
  return copy
}
