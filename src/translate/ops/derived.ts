import { type JsonObject, type JsonValue, memberAt, objectOf } from '../../api/json/json.ts'
import { type ApiVersion, formatVersion, versionOf } from '../../api/version.ts'
import { bodyWith } from '../example.ts'
import type { StepContext } from '../message.ts'
import type { Case } from './sample.ts'

/** A value that moved through the versions of clients. */
export class ByClient<T> {
  /** Each value with the first version that has it, the newest first. */
  readonly history: readonly (readonly [from: ApiVersion, value: T])[]

  constructor(history: ByClient<T>['history']) {
    this.history = history.toSorted(([a], [b]) => b - a)
  }

  /** The one of the highest version up to the client's; undefined before the first. */
  for(client: ApiVersion): T | undefined {
    return this.history.find(([from]) => from <= client)?.[1]
  }
}

/** `byClient({ '1.18': asNumber, '1.19': asBoolean })`: each from that version on. */
export const byClient = <T>(history: Readonly<Record<`1.${number}`, T>>): ByClient<T> =>
  new ByClient(Object.entries<T>(history).map(([from, value]) => [versionOf(from), value] as const))

export const forClient = <T>(value: T | ByClient<T>, client: ApiVersion): T | undefined =>
  value instanceof ByClient ? value.for(client) : value

/** The body that an object stands in; of a list the one element. */
export type Whole = JsonValue | undefined

/** How to get a value from the object that lacks it; undefined leaves the member out. */
export interface Derive {
  (object: JsonObject, context: StepContext, whole: Whole): JsonValue | undefined
  /** Examples of the member with such a value; `sample`: one that it can get. */
  readonly cases?: (member: string, sample: JsonValue | undefined) => Case[]
}

export type Derived = JsonValue | Derive | ByClient<JsonValue | Derive | undefined>

/** A constant value of a rule, from which an example can be made. */
export const isPlain = (value: Derived): value is JsonValue =>
  typeof value !== 'function' && !(value instanceof ByClient)

export function derive(value: Derived, object: JsonObject, context: StepContext, whole: Whole): JsonValue | undefined {
  const own = forClient(value, context.client)
  return typeof own === 'function' ? own(object, context, whole) : own === undefined ? undefined : ownCopy(own)
}

/** A member with a constant value, by client, or with the value of another member, which needs a `sample`. */
export function derivedCases(member: string, value: Derived, sample: JsonValue | undefined): Case[] {
  if (typeof value === 'function') return value.cases?.(member, sample) ?? []
  if (!(value instanceof ByClient)) return [[{}, { [member]: value }]]
  return value.history.flatMap(([from, own]): Case[] => {
    if (typeof own === 'function') return []
    return [[{}, own === undefined ? {} : { [member]: own }, { client: formatVersion(from) }]]
  })
}

/**
 * The value at a path below the object, `Container.ID`, or below the body that it stands in, `/HostConfig.Memory`; where
 * there is none, or null, `otherwise`.
 */
export function sameAs(path: string, otherwise?: JsonValue): Derive {
  const isInBody = path.startsWith('/')
  const at = isInBody ? path.slice(1) : path
  const steps = at.split('.')
  const find: Derive = (object, _context, whole) => memberAt(isInBody ? whole : object, ...steps) ?? otherwise
  const cases: Derive['cases'] = (member, sample) => {
    const missing: Case[] = otherwise === undefined ? [] : [[{}, { [member]: otherwise }]]
    if (sample === undefined) return missing
    const other = objectOf(bodyWith(at, sample))
    return [[{}, { [member]: sample }, isInBody ? { beside: other } : { with: other }], ...missing]
  }
  return Object.assign(find, { cases })
}

export const ownCopy = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value
