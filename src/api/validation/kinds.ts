import { z } from 'zod'
import { foldName } from '../../translate/go-names.ts'
import { integer, isObject, isUnset, type JsonObject, type JsonValue } from '../../translate/json.ts'
import type { ApiVersion } from '../version.ts'
import { AND_LATER } from './finding.ts'

/** What a member has to be at a version. Compiled once per version; `null` means "not set" everywhere (encoding/json). */
export type Kind = (version: ApiVersion) => z.ZodType

/** The specification ends with 1.22: words and patterns that later versions extended are checked up to there. */
export const LAST_SPECIFIED = 22

/** A value that has to satisfy `holds`; `words` follow the field in the finding. */
export const kind =
  (words: string, holds: (value: unknown) => boolean): Kind =>
  () =>
    z.custom<unknown>(holds, { error: words, abort: false })

const isText = (value: unknown): value is string => typeof value === 'string'
const whole = (value: unknown): bigint | undefined => integer(value as JsonValue | undefined) // any JSON value is allowed

export const text = kind('must be a string', isText)
export const flag = kind('must be true or false', (value) => typeof value === 'boolean')
export const int = kind('must be an integer', (value) => whole(value) !== undefined)
export const anything: Kind = () => z.unknown()
export const textOrList = kind(
  'must be a string or a list of strings',
  (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
)
/** For the values of `ExposedPorts` and `Volumes`. */
export const emptyObject = kind(
  'must be an empty object',
  (value) => isObject(value) && Object.keys(value).length === 0,
)

/** A string that has to match, checked up to the last specified version; `''` is "not set". */
export const textLike = (words: string, matches: RegExp): Kind =>
  upToSpecified(
    kind(words, (value) => value === '' || (isText(value) && matches.test(value))),
    text,
  )

/** An integer within bounds; `unset` are the values by which clients say that it is not set. */
export const intWithin = (words: string, [low, high]: readonly [bigint, bigint], unset: readonly bigint[]): Kind =>
  kind(words, (value) => {
    const number = whole(value)
    return number !== undefined && (unset.includes(number) || (number >= low && number <= high))
  })

export const upToSpecified =
  (specified: Kind, later: Kind): Kind =>
  (version) =>
    (version <= LAST_SPECIFIED ? specified : later)(version)

/** One kind below `version`, another from it on. */
export const before =
  (boundary: number, older: Kind, newer: Kind): Kind =>
  (version) =>
    (version < boundary ? older : newer)(version)

export const listOf =
  (element: Kind): Kind =>
  (version) => {
    const list = kind('must be a list', Array.isArray)(version)
    const elements = z.array(element(version).nullish())
    return list.superRefine((value, context) => {
      if (Array.isArray(value)) report(elements, value, context)
    })
  }

export const mapOf =
  (value: Kind, key: { readonly words: string; readonly matches: RegExp } | undefined = undefined): Kind =>
  (version) => {
    const values = z.record(z.string(), value(version).nullish(), { error: 'must be an object' })
    if (key === undefined || version > LAST_SPECIFIED) return values
    return z.unknown().superRefine((map, context) => {
      report(values, map, context)
      if (!isObject(map)) return
      for (const name of Object.keys(map))
        if (!key.matches.test(name)) context.addIssue({ code: 'custom', path: [name], message: key.words })
    })
  }

/** One member of an object; `since` and `until` are the versions that have it. */
export interface Member {
  readonly kind: Kind
  readonly since: number
  readonly until: number
  /** Values by which clients say "not set", beside those that Go says it by. */
  readonly unset: (value: unknown) => boolean
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
  /** The versions that have the rule; all when left out. */
  readonly versions?: readonly [from: number, to: number]
}

/** The slice of an object that is looked at; whatever else it has is let through. */
export interface Area {
  readonly members: Readonly<Record<string, Member>>
  readonly rules?: readonly CrossRule[]
}

/** Go matches names without regard to case, the last one winning: the copy that is looked at has the table's spelling. */
function respelled(names: ReadonlyMap<string, string>, value: unknown): unknown {
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, member] of Object.entries(value)) copy[names.get(foldName(name)) ?? name] = member
  return { ...copy }
}

const isOf = (member: Member): string =>
  member.until === 999
    ? `is a member of API 1.${member.since}${AND_LATER}`
    : `is a member of API 1.${member.since} to 1.${member.until}`

export const object =
  ({ members, rules = [] }: Area): Kind =>
  (version) => {
    const names = new Map(Object.keys(members).map((name) => [foldName(name), name]))
    const slice = z.looseObject(
      Object.fromEntries(
        Object.entries(members).map(([name, member]) => {
          const known = version >= member.since && version <= member.until
          const schema = known
            ? member.kind
            : kind(isOf(member), (value) => isUnset(value as JsonValue) || member.unset(value))
          return [name, schema(version).nullish()]
        }),
      ),
      { error: 'must be an object' },
    )
    const inForce = rules.filter(({ versions: [from, to] = [0, 999] }) => version >= from && version <= to)
    return z.unknown().superRefine((value, context) => {
      const seen = respelled(names, value)
      report(slice, seen, context)
      if (!isObject(seen)) return
      for (const { field, words, breaks } of inForce) {
        if (breaks(seen)) context.addIssue({ code: 'custom', path: [field], message: words })
      }
    })
  }

/** Hands the issues of an inner schema on. */
function report(inner: z.ZodType, value: unknown, context: z.RefinementCtx): void {
  const { error } = inner.safeParse(value)
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
}
