import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op, ResponseLeg } from '../../change.ts'
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
  /** `drop`: newer engines ignore it in requests. `keep`: another step uses it. */
  readonly request?: 'drop' | 'keep'
  /** A value of older engines; by default `down`. */
  readonly sample?: JsonValue
}

/** A member that exists up to the version before. An older client gets it made again; a newer client does not see it. */
export function removed(shape: Shape, member: string, options: RemovedOptions): Op {
  const { down, request, sample = isPlain(down) ? down : undefined } = options
  const made: Case[] = isPlain(down) ? [[{}, { [member]: down }]] : []
  const drop: Edit = (object) => delete object[member]
  const inRequests = request === 'keep' ? undefined : drop
  return shapeOp(
    shape,
    { words: `${named(shape, member)} is gone`, member },
    () => ({
      requestUp: inRequests,
      requestDown: inRequests,
      responseDown: (object, context, whole) => setIfMissing(object, member, derive(down, object, context, whole)),
      responseUp: takeOut(member),
    }),
    () => {
      if (sample === undefined) return {}
      const there = { [member]: sample }
      const dropped: Case[] = [there, { [member.toLowerCase()]: sample }].map((before) => [before, {}])
      return {
        requestUp: dropped,
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

/** Parent object of a dotted member path below `object`, made when `create`. */
function parentOf(object: JsonObject, path: string, create: boolean): [JsonObject, string] | undefined {
  const names = path.split('.')
  const last = names.pop() ?? path
  let parent = object
  for (const name of names) {
    if (create && !isObject(parent[name])) parent[name] = {}
    const next = parent[name]
    if (!isObject(next)) return undefined
    parent = next
  }
  return [parent, last]
}

const move =
  (from: string, to: string): Edit =>
  (object) => {
    const source = parentOf(object, from, false)
    if (source === undefined || !Object.hasOwn(source[0], source[1])) return
    const value = source[0][source[1]]
    delete source[0][source[1]]
    if (value === undefined || isUnset(value)) return
    const target = parentOf(object, to, true)
    if (target !== undefined && isUnset(target[0][target[1]])) setMember(target[0], target[1], value)
  }

/**
 * A member that lives elsewhere in the same message from this version on; dotted paths below the shape. A value already
 * at the new place wins, as in the engines' own merge.
 */
export function moved(shape: Shape, before: string, after: string): Op {
  const [up, down] = [move(before, after), move(after, before)]
  return shapeOp(
    shape,
    { words: `${named(shape, before)} is at ${after}` },
    () => ({ requestUp: up, requestDown: down, responseDown: down, responseUp: up }),
    () => {
      const toNewer: Case[] = [[nested(before, 'x'), { ...emptied(before), ...nested(after, 'x') }]]
      const toOlder: Case[] = [[nested(after, 'x'), { ...emptied(after), ...nested(before, 'x') }]]
      return { requestUp: toNewer, requestDown: toOlder, responseDown: toOlder, responseUp: toNewer }
    },
  )
}

const nested = (path: string, value: JsonValue): JsonObject =>
  path.split('.').reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject

/** What is left where a member was moved away. */
const emptied = (path: string): JsonObject => {
  const parent = path.split('.').slice(0, -1).join('.')
  return parent === '' ? {} : nested(parent, {})
}
