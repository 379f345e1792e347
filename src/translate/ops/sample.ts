import { type JsonObject, type JsonValue, objectOf } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import { escaped } from '../../config/text.ts'
import { type BoundChange, type Example, type ExamplePart, type Leg, sideOf } from '../change.ts'
import { bodyWith, type ExampleRow, examplesAt, type Row } from '../example.ts'
import type { OnLoss } from '../message.ts'

export interface Circumstances extends Exclude<Row<unknown>[2], undefined> {
  /** Other members of the object. */
  readonly with?: JsonObject
  /** Other members of the body that the object stands in. */
  readonly beside?: JsonObject
  /** The query of the call that is answered. */
  readonly query?: string
}

/** An object of a shape, or a part of a call, before and after a leg; alone: it stays. A RegExp: the call is refused with a matching error. */
export type Case<T = JsonObject> = readonly [before: T, after?: T | RegExp, circumstances?: Circumstances | undefined]

/** Objects, and the value of a member that is made of each; undefined: there is none. */
export type MadeSamples = readonly (readonly [object: JsonObject, made?: JsonValue, circumstances?: Circumstances])[]

export const madeCases = (member: string, samples: MadeSamples): Case[] =>
  samples.map(([object, made, circumstances = {}]) => {
    const { [member]: _before, ...others } = object
    return [object, made === undefined ? others : { ...object, [member]: made }, circumstances]
  })

/** A member beside every sample, which must not change. */
const NEIGHBOUR = { Neighbour: 'stays' }

/** Examples of a leg: in the operation asked for, or in the first where the shape stands on that side. */
export function casesAt(shape: Shape, leg: Leg, cases: readonly Case[], on?: OperationName): Example[] {
  const place = shape.places.find((one) => one.side === sideOf(leg) && (on === undefined || one.operation === on))
  if (place === undefined) return []
  const { operation, path } = place
  const rows = cases.map(([before, after = before, { with: members, beside, query, ...how } = {}]): ExampleRow => {
    const part = (object: JsonObject): ExamplePart => {
      const body = bodyWith(path, { ...object, ...members, ...NEIGHBOUR })
      return { body: beside === undefined ? body : { ...objectOf(body), ...beside } }
    }
    const asked = query === undefined ? {} : { query }
    return [{ ...part(before), ...asked }, after instanceof RegExp ? after : part(after), how]
  })
  return examplesAt(operation, leg, undefined, rows)
}

/** Matches exactly this text. */
export const exactly = (text: string): RegExp => new RegExp(`^${escaped(text)}$`)

/** The error text of a refused loss. */
export const refusalOf = (what: string, { version }: Pick<BoundChange, 'version'>): RegExp =>
  new RegExp(`^${escaped(what)} .*needs API 1\\.${version}\\b`)

/** A row for a value that is lost: the call is refused, or goes on without it. */
export const lost = <T>(
  before: T,
  after: T,
  what: string,
  onLoss: OnLoss | undefined,
  change: Pick<BoundChange, 'version'>,
  circumstances: Row<T>[2] = {},
): Case<T> =>
  onLoss === 'refuse'
    ? [before, refusalOf(what, change), circumstances]
    : [before, after, { losses: onLoss === undefined ? [] : [what], ...circumstances }]
