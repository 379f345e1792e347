import type { JsonObject } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import { type BoundChange, type Example, type Leg, sideOf } from '../change.ts'
import { bodyWith } from '../example.ts'

/** An object of a shape before and after a leg; a RegExp: the call is refused in such words. */
export type Case = readonly [
  before: JsonObject,
  after: JsonObject | RegExp,
  circumstances?: Pick<Example, 'losses' | 'client'>,
]

/** Stands beside every sample, and stays. */
const NEIGHBOUR = { Neighbour: 'stays' }

/** Examples of a leg: in the operation asked for, or in the first where the shape stands on that side. */
export function casesAt(shape: Shape, leg: Leg, cases: readonly Case[], on?: OperationName): Example[] {
  const place = shape.places.find((one) => one.side === sideOf(leg) && (on === undefined || one.operation === on))
  if (place === undefined) return []
  const { operation, path } = place
  return cases.map(([before, after, circumstances]) => ({
    on: operation,
    leg,
    before: { body: bodyWith(path, { ...before, ...NEIGHBOUR }) },
    after: after instanceof RegExp ? { refused: after } : { body: bodyWith(path, { ...after, ...NEIGHBOUR }) },
    ...circumstances,
  }))
}

/** A text in a regular expression. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What a refused loss says. */
export const refusalOf = (what: string, { version }: Pick<BoundChange, 'version'>): RegExp =>
  new RegExp(`^${literally(what)} .*needs API 1\\.${version}\\b`)
