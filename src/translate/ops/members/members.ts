import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Example, Op, PlacedStep } from '../../change.ts'
import {
  type Derived,
  derive,
  type Edit,
  everywhere,
  isPlain,
  named,
  ownCopy,
  setIfMissing,
  takeOut,
} from '../everywhere.ts'
import { type Case, casesAt } from '../sample.ts'

const drop =
  (member: string): Edit =>
  (object) =>
    delete object[member]

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
  const supply: Edit = (object, context, whole) =>
    setIfMissing(object, member, derive(options.down, object, context, whole))
  const steps = (): PlacedStep[] => [
    ...(options.request === 'keep' ? [] : everywhere(shape, 'requestUp', drop(member))),
    ...(options.request === 'keep' ? [] : everywhere(shape, 'requestDown', drop(member))),
    ...everywhere(shape, 'responseDown', supply),
    ...everywhere(shape, 'responseUp', takeOut(member)),
  ]
  const { down, sample = isPlain(down) ? down : undefined } = options
  return {
    words: `${named(shape, member)} is gone`,
    adds: { shape: shape.name, member },
    steps,
    examples: (_change, on) => {
      if (sample === undefined) return []
      const dropped: Case[] = [
        [{ [member]: sample }, {}],
        [{ [member.toLowerCase()]: sample }, {}],
      ]
      const made: Case[] = isPlain(down) ? [[{}, { [member]: down }]] : []
      return [
        ...casesAt(shape, 'requestUp', dropped, on),
        ...casesAt(shape, 'requestDown', dropped, on),
        ...casesAt(shape, 'responseDown', [...made, [{ [member]: sample }, { [member]: sample }]], on),
        ...casesAt(shape, 'responseUp', [[{ [member]: sample }, {}]], on),
      ]
    },
  }
}

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
  const steps = (): PlacedStep[] => [
    ...everywhere(shape, 'responseDown', (object) => setIfMissing(object, member, ownCopy(empty))),
    ...(bothWays ? everywhere(shape, 'responseUp', omit) : []),
  ]
  const there: Case = [{ [member]: 'said' }, { [member]: 'said' }]
  return {
    words: `${named(shape, member)} is left out when empty`,
    adds: { shape: shape.name, member },
    steps,
    examples: (_change, on) => [
      ...casesAt(shape, 'responseDown', [[{}, { [member]: empty }], there], on),
      ...casesAt(shape, 'responseUp', [[{ [member]: empty }, {}], there], on),
    ],
  }
}

function rename(object: JsonObject, from: string, to: string): void {
  if (!Object.hasOwn(object, from)) return
  const value = object[from]
  delete object[from]
  if (value !== undefined) setIfMissing(object, to, value)
}

export interface Sampled {
  /** A value, of which examples of each leg are made. */
  readonly sample?: JsonValue
}

function onEachLeg(
  shape: Shape,
  { up, down }: { readonly up: Case; readonly down: Case },
  on: OperationName | undefined,
): Example[] {
  return [
    ...casesAt(shape, 'requestUp', [up], on),
    ...casesAt(shape, 'requestDown', [down], on),
    ...casesAt(shape, 'responseDown', [down], on),
    ...casesAt(shape, 'responseUp', [up], on),
  ]
}

/** A member that has another name from this version on. */
export function renamed(shape: Shape, before: string, after: string, { sample = 'x' }: Sampled = {}): Op {
  const steps = (): PlacedStep[] => [
    ...everywhere(shape, 'requestUp', (object) => rename(object, before, after)),
    ...everywhere(shape, 'requestDown', (object) => rename(object, after, before)),
    ...everywhere(shape, 'responseDown', (object) => rename(object, after, before)),
    ...everywhere(shape, 'responseUp', (object) => rename(object, before, after)),
  ]
  return {
    words: `${named(shape, before)} is called ${after}`,
    adds: { shape: shape.name, member: after },
    steps,
    examples: (_change, on) => {
      const [older, newer] = [{ [before]: sample }, { [after]: sample }]
      return onEachLeg(shape, { up: [older, newer], down: [newer, older] }, on)
    },
  }
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

function move(object: JsonObject, from: string, to: string): void {
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
export function moved(shape: Shape, before: string, after: string, { sample = 'x' }: Sampled = {}): Op {
  const steps = (): PlacedStep[] => [
    ...everywhere(shape, 'requestUp', (object) => move(object, before, after)),
    ...everywhere(shape, 'requestDown', (object) => move(object, after, before)),
    ...everywhere(shape, 'responseDown', (object) => move(object, after, before)),
    ...everywhere(shape, 'responseUp', (object) => move(object, before, after)),
  ]
  return {
    words: `${named(shape, before)} is at ${after}`,
    steps,
    examples: (_change, on) => {
      const up: Case = [nested(before, sample), { ...emptied(before), ...nested(after, sample) }]
      const down: Case = [nested(after, sample), { ...emptied(after), ...nested(before, sample) }]
      return onEachLeg(shape, { up, down }, on)
    },
  }
}

const nested = (path: string, value: JsonValue): JsonObject =>
  path.split('.').reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject

/** What is left where a member was moved away. */
const emptied = (path: string): JsonObject => {
  const parent = path.split('.').slice(0, -1).join('.')
  return parent === '' ? {} : nested(parent, {})
}
