import type { JsonObject } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import { type BoundChange, type Example, type Leg, sideOf } from '../change.ts'
import { examplesAt, type Row } from '../example.ts'
import type { OnLoss } from '../message.ts'

/** An object of a shape, or a part of a call, before and after a leg; alone: it stays. A RegExp: the call is refused in such words. */
export type Case<T = JsonObject> = readonly [
  before: T,
  after?: T | RegExp,
  circumstances?: Exclude<Row<T>[2], undefined>,
]

/** Stands beside every sample, and stays. */
const NEIGHBOUR = { Neighbour: 'stays' }

/** Examples of a leg: in the operation asked for, or in the first where the shape stands on that side. */
export function casesAt(shape: Shape, leg: Leg, cases: readonly Case[], on?: OperationName): Example[] {
  const place = shape.places.find((one) => one.side === sideOf(leg) && (on === undefined || one.operation === on))
  if (place === undefined) return []
  const rows = cases.map(([before, after = before, circumstances = {}]): Row<JsonObject> => {
    const outcome = after instanceof RegExp ? after : { ...after, ...NEIGHBOUR }
    return [{ ...before, ...NEIGHBOUR }, outcome, circumstances]
  })
  return examplesAt(place.operation, leg, `body.${place.path}`, rows)
}

/** A text in a regular expression. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches exactly this text. */
export const exactly = (text: string): RegExp => new RegExp(`^${literally(text)}$`)

/** What a refused loss says. */
export const refusalOf = (what: string, { version }: Pick<BoundChange, 'version'>): RegExp =>
  new RegExp(`^${literally(what)} .*needs API 1\\.${version}\\b`)

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
