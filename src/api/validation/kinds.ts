import { integer, isObject, isUnset, type JsonObject, type JsonValue } from '../json/json.ts'
import { Names } from '../json/names.ts'
import { type ApiVersion, isNewer, isOlder, isWithin } from '../version.ts'
import { AND_LATER } from './finding.ts'

/** Receives problems, worded to follow the field's name. */
export type Say = (field: string, words: string) => void

/** Checks the value of `field`; '' is the whole body. */
export type Check = (value: JsonValue, field: string, say: Say) => void

/** The type of a member at a version. Compiled once per version; `null` always means "not set" (encoding/json). */
export type Kind = (version: ApiVersion) => Check

/** The specification ends with 1.22: enumerations and patterns that later versions extended are checked up to there. */
export const LAST_SPECIFIED = 22

/** `[a-Z]` or `ctrl-<value>`, comma-separated (specification 4.1, after the archive rules). */
const KEY = '(?:[a-zA-Z]|ctrl-[a-z@^\\[,_\\\\])'
export const detachKeysPattern = new RegExp(`^${KEY}(?:,${KEY})*$`)

/** A value that must satisfy `holds`; `words` follow the field's name in the finding. */
export const kind =
  (words: string, holds: (value: JsonValue) => boolean): Kind =>
  () =>
  (value, field, say) => {
    if (!holds(value)) say(field, words)
  }

const isText = (value: JsonValue): value is string => typeof value === 'string'

export const text = kind('must be a string', isText)
export const flag = kind('must be true or false', (value) => typeof value === 'boolean')
export const int = kind('must be an integer', (value) => integer(value) !== undefined)
export const anything: Kind = () => () => undefined
export const textOrList = kind(
  'must be a string or a list of strings',
  (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
)
/** For the values of `ExposedPorts` and `Volumes`. */
export const emptyObject = kind(
  'must be an empty object',
  (value) => isObject(value) && Object.keys(value).length === 0,
)

/** A string that must match, checked up to the last specified version; `''` means "not set". */
export const textLike = (words: string, matches: RegExp): Kind =>
  upToSpecified(
    kind(words, (value) => value === '' || (isText(value) && matches.test(value))),
    text,
  )

/** An integer within bounds; `unset`: the values that clients send for "not set". */
export const intWithin = (words: string, [low, high]: readonly [bigint, bigint], unset: readonly bigint[]): Kind =>
  kind(words, (value) => {
    const number = integer(value)
    return number !== undefined && (unset.includes(number) || (number >= low && number <= high))
  })

export const upToSpecified =
  (specified: Kind, later: Kind): Kind =>
  (version) =>
    (isNewer(version, LAST_SPECIFIED) ? later : specified)(version)

/** One kind below `version`, another from it on. */
export const before =
  (boundary: number, older: Kind, newer: Kind): Kind =>
  (version) =>
    (isOlder(version, boundary) ? older : newer)(version)

export const listOf =
  (element: Kind): Kind =>
  (version) => {
    const check = element(version)
    return (list, field, say) => {
      if (!Array.isArray(list)) say(field, 'must be a list')
      else for (const [i, one] of list.entries()) if (one !== null) check(one, `${field}[${i}]`, say)
    }
  }

export const mapOf =
  (value: Kind, key: { readonly words: string; readonly matches: RegExp } | undefined = undefined): Kind =>
  (version) => {
    const check = value(version)
    const matches = isNewer(version, LAST_SPECIFIED) ? undefined : key?.matches
    return (map, field, say) => {
      if (!isObject(map)) return say(field, 'must be an object')
      for (const name of Object.keys(map)) {
        const one = map[name] ?? null
        if (one !== null) check(one, inside(field, name), say)
        if (matches?.test(name) === false) say(inside(field, name), key?.words ?? '')
      }
    }
  }

const inside = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/** One member of an object; `since` and `until` are the versions that have it. */
export interface Member {
  readonly kind: Kind
  readonly since: number
  readonly until: number
  /** Values that clients send for "not set", in addition to Go's zero values. */
  readonly unset: (value: JsonValue) => boolean
}

export const of = (
  kind: Kind,
  { since = 18, until = 999, unset = () => false }: Partial<Omit<Member, 'kind'>> = {},
): Member => ({
  kind,
  since,
  until,
  unset,
})

/** A rule about several members of one object. */
export interface CrossRule {
  readonly field: string
  readonly words: string
  readonly breaks: (object: JsonObject) => boolean
  /** The versions that have the rule; all if absent. */
  readonly versions?: readonly [from: number, to: number]
}

/** The members of an object that are checked; others are accepted. */
export interface Area {
  readonly members: Readonly<Record<string, Member>>
  readonly rules?: readonly CrossRule[]
}

const isOf = (member: Member): string =>
  member.until === 999
    ? `is a member of API 1.${member.since}${AND_LATER}`
    : `is a member of API 1.${member.since} to 1.${member.until}`

export const object =
  ({ members, rules = [] }: Area): Kind =>
  (version) => {
    const fields = new Names(Object.keys(members))
    const checks = Object.entries(members).map(([name, member]) => {
      const known = isWithin(version, member.since, member.until)
      const check = known ? member.kind : kind(isOf(member), (value) => isUnset(value) || member.unset(value))
      return [name, check(version)] as const
    })
    const inForce = rules.filter(({ versions: [from, to] = [0, 999] }) => isWithin(version, from, to))
    return (value, field, say) => {
      if (!isObject(value)) return say(field, 'must be an object')
      const seen = slice(value, fields)
      for (const [name, check] of checks) {
        const member = seen[name] ?? null
        if (member !== null) check(member, inside(field, name), say)
      }
      for (const { field: named, words, breaks } of inForce) if (breaks(seen)) say(inside(field, named), words)
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
