import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import { type BoundChange, neighbour, type Op, type ResponseLeg } from '../../change.ts'
import type { OnLoss } from '../../message.ts'
import {
  type Derived,
  derive,
  type Edit,
  isPlain,
  named,
  ownCopy,
  setIfMissing,
  shapeOp,
  takeOut,
} from '../everywhere.ts'
import type { Case } from '../sample.ts'

export interface RemovedOptions {
  /** What the older client gets when the engine no longer sends it. */
  readonly down: Derived
  /** Objects of a newer engine, and what `down` makes of them: examples are made of these. */
  readonly downSamples?: readonly (readonly [object: JsonObject, made: JsonValue])[]
  /** `drop`: newer engines ignore it in requests. `keep`: another step uses it. */
  readonly request?: 'drop' | 'keep'
  /** A value of older engines; by default `down`. */
  readonly sample?: JsonValue
  /** When an older client sets it; by default it goes in silence. */
  readonly onLoss?: OnLoss
}

/** A member that exists up to the version before. An older client gets it made again; a newer client does not see it. */
export function removed(shape: Shape, member: string, options: RemovedOptions): Op {
  const { down, downSamples = [], request, onLoss, sample = isPlain(down) ? down : undefined } = options
  const what = named(shape, member)
  const made: Case[] = isPlain(down)
    ? [[{}, { [member]: down }]]
    : downSamples.map(([object, value]) => [object, { ...object, [member]: value }])
  const drop: Edit = (object) => delete object[member]
  const lost =
    ({ id, version }: BoundChange, onLoss: OnLoss): Edit =>
    (object, context) => {
      const value = object[member]
      delete object[member]
      if (!isUnset(value ?? null)) context.lose({ what, needs: neighbour(version), change: id, onLoss })
    }
  const inRequests = request === 'keep' ? undefined : drop
  const facts = {
    words: `${what} is gone`,
    member,
    ...(onLoss === undefined ? {} : { loss: { what, onLoss: [onLoss] } }),
  }
  return shapeOp(
    shape,
    facts,
    (change) => ({
      requestUp: onLoss === undefined ? inRequests : lost(change, onLoss),
      requestDown: inRequests,
      responseDown: (object, context, whole) => setIfMissing(object, member, derive(down, object, context, whole)),
      responseUp: takeOut(member),
    }),
    () => {
      if (sample === undefined) return {}
      const there = { [member]: sample }
      const losing = ([before, after]: Case): Case => [before, after, { losses: [what] }]
      const dropped: Case[] = [there, { [member.toLowerCase()]: sample }].map((before) => [before, {}])
      return {
        requestUp: onLoss === undefined ? dropped : [...dropped.map(losing), [{ [member]: null }, {}, { losses: [] }]],
        requestDown: dropped,
        responseDown: [...made, [there, there]],
        responseUp: [[there, {}]],
      }
    },
  )
}

/** A member that stays where its value says something. */
const stays = (member: string): Case => [{ [member]: 'said' }, { [member]: 'said' }]

/**
 * A member that from this version on is left out when empty. An older client gets `empty` in its stead; with `bothWays` a newer
 * one does not see it empty.
 */
export function omittedWhenEmpty(
  shape: Shape,
  member: string,
  empty: JsonValue,
  { bothWays = false }: { readonly bothWays?: boolean } = {},
): Op {
  const omit: Edit = (object) => {
    if (object[member] === empty || isUnset(object[member])) object[member] = undefined
  }
  return shapeOp(
    shape,
    { words: `${named(shape, member)} is left out when empty`, member },
    () => ({
      responseDown: (object) => setIfMissing(object, member, ownCopy(empty)),
      responseUp: bothWays ? omit : undefined,
    }),
    () => ({
      responseDown: [[{}, { [member]: empty }], stays(member)],
      responseUp: [[{ [member]: empty }, {}], stays(member)],
    }),
  )
}

/** A member that is there, and not null, from this version on (`responseUp`), or was up to it (`responseDown`). */
export function filled(
  shape: Shape,
  member: string,
  value: Derived,
  { leg = 'responseDown' }: { readonly leg?: ResponseLeg } = {},
): Op {
  const fill: Edit = (object, context, whole) => {
    const wanted = derive(value, object, context, whole)
    if (wanted !== undefined) object[member] ??= wanted
  }
  const cases: Case[] = isPlain(value) ? [{}, { [member]: null }].map((before) => [before, { [member]: value }]) : []
  return shapeOp(
    shape,
    { words: `${named(shape, member)} is always there`, member },
    () => ({ [leg]: fill }),
    () => ({ [leg]: [...cases, stays(member)] }),
  )
}

/** A member that was left out, up to this version, where it has this value. */
export function leftOut(shape: Shape, member: string, empty: JsonValue): Op {
  const there = { [member]: empty }
  return shapeOp(
    shape,
    { words: `${named(shape, member)} is left out when unset, before`, member },
    () => ({
      responseDown: (object) => {
        if (object[member] === empty) delete object[member]
      },
      responseUp: (object) => {
        object[member] ??= ownCopy(empty)
      },
    }),
    () => ({
      responseDown: [[there, {}], stays(member)],
      responseUp: [[{}, there], [{ [member]: null }, there], stays(member)],
    }),
  )
}
