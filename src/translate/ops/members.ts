import type { BoundChange, Op, PlacedStep } from '../change.ts'
import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../json.ts'
import type { OnLoss, StepContext } from '../message.ts'
import type { Shape } from '../shape.ts'
import { type Derived, derive, type Edit, everywhere, named, ownCopy, setIfMissing } from './everywhere.ts'

/**
 * Answers are written next, and a member that is undefined is not: `delete` would make the object a slow one (measured on
 * lists: twice the time).
 */
const takeOut =
  (member: string): Edit =>
  (object) => {
    if (object[member] !== undefined) object[member] = undefined
  }

const drop =
  (member: string): Edit =>
  (object) =>
    delete object[member]

/** Whether a client can say it: what only answers show cannot be lost. */
const asksFor = (shape: Shape): boolean => shape.places.some(({ side }) => side === 'request')

export interface AddedOptions {
  /** What a newer client gets from an older engine; left out when not given. */
  readonly up?: Derived
  /** Values that mean "not set" beside Go's zero values: dropped in silence on an older engine. */
  readonly neutral?: (value: JsonValue, object: JsonObject) => boolean
  /** An object says something by being there, even an empty one: a service is a job by `GlobalJob: {}`. */
  readonly saysByBeing?: boolean
  /** When a newer client sets it on an older engine. Protection and limits: `refuse`. */
  readonly onLoss: OnLoss
  /** Another way to say it on the older engine: returns true when it did. */
  readonly convert?: (value: JsonValue, object: JsonObject, context: StepContext) => boolean
  /** `keep`: an older client sees it all the same (its real engine had it, whatever the documents say). */
  readonly down?: 'strip' | 'keep'
  /**
   * `keep`: an older client's request has it all the same, for what makes a container or command more confined: engines
   * that serve many versions heed it whatever the prefix (asked of 20.10 at 1.18), so without it there was less protection.
   */
  readonly request?: 'drop' | 'keep'
}

/**
 * A member that exists from this version on. An older client's request loses it (its engine would have ignored it; but see `request`),
 * an older client's answer does not have it; a newer client's request loses it with a loss, its answer gets `up`.
 */
export function added(shape: Shape, member: string, options: AddedOptions): Op {
  const { neutral, convert, onLoss } = options
  const saysNothing = (value: JsonValue | undefined): boolean =>
    isUnset(value) && !(options.saysByBeing === true && isObject(value))
  const steps = (change: BoundChange): PlacedStep[] => {
    const ignore: Edit = (object, context) => {
      if (!Object.hasOwn(object, member)) return
      if (!saysNothing(object[member])) context.ignore(named(shape, member), change.id)
      delete object[member]
    }
    const lose: Edit = (object, context) => {
      const value = object[member]
      delete object[member]
      if (value === undefined || saysNothing(value) || neutral?.(value, object) || convert?.(value, object, context))
        return
      context.lose({ what: named(shape, member), needs: change.version, change: change.id, onLoss })
    }
    const supply: Edit = (object, context, whole) => {
      if (options.up !== undefined) setIfMissing(object, member, derive(options.up, object, context, whole))
    }
    return [
      ...(options.request === 'keep' ? [] : everywhere(shape, 'requestUp', ignore, { stripsNewer: true })),
      ...everywhere(shape, 'requestDown', lose),
      ...everywhere(shape, 'responseUp', supply),
      ...(options.down === 'keep' ? [] : everywhere(shape, 'responseDown', takeOut(member), { stripsNewer: true })),
    ]
  }
  const loss = asksFor(shape) ? { loss: { what: named(shape, member), onLoss: [onLoss] } } : {}
  const keeps = options.request === 'keep' ? { keeps: named(shape, member) } : {}
  return { words: `${named(shape, member)} is new`, adds: { shape: shape.name, member }, ...loss, ...keeps, steps }
}

/** Several members with the same options. */
export const addedAll = (shape: Shape, members: readonly string[], options: AddedOptions): Op[] =>
  members.map((member) => added(shape, member, options))

export interface RemovedOptions {
  /** What the older client gets when the engine no longer sends it. */
  readonly down: Derived
  /** `drop`: newer engines ignore it in requests. `keep`: another step uses it. */
  readonly request?: 'drop' | 'keep'
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
  return { words: `${named(shape, member)} is gone`, adds: { shape: shape.name, member }, steps }
}

/** A member that from this version on is left out when empty. An older client gets `empty` in its stead. */
export function omittedWhenEmpty(shape: Shape, member: string, empty: JsonValue): Op {
  const steps = (): PlacedStep[] =>
    everywhere(shape, 'responseDown', (object) => setIfMissing(object, member, ownCopy(empty)))
  return { words: `${named(shape, member)} is left out when empty`, adds: { shape: shape.name, member }, steps }
}

function rename(object: JsonObject, from: string, to: string): void {
  if (!Object.hasOwn(object, from)) return
  const value = object[from]
  delete object[from]
  if (value !== undefined) setIfMissing(object, to, value)
}

/** A member that has another name from this version on. */
export function renamed(shape: Shape, before: string, after: string): Op {
  const steps = (): PlacedStep[] => [
    ...everywhere(shape, 'requestUp', (object) => rename(object, before, after)),
    ...everywhere(shape, 'requestDown', (object) => rename(object, after, before)),
    ...everywhere(shape, 'responseDown', (object) => rename(object, after, before)),
    ...everywhere(shape, 'responseUp', (object) => rename(object, before, after)),
  ]
  return { words: `${named(shape, before)} is called ${after}`, adds: { shape: shape.name, member: after }, steps }
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
export function moved(shape: Shape, before: string, after: string): Op {
  const steps = (): PlacedStep[] => [
    ...everywhere(shape, 'requestUp', (object) => move(object, before, after)),
    ...everywhere(shape, 'requestDown', (object) => move(object, after, before)),
    ...everywhere(shape, 'responseDown', (object) => move(object, after, before)),
    ...everywhere(shape, 'responseUp', (object) => move(object, before, after)),
  ]
  return { words: `${named(shape, before)} is at ${after}`, steps }
}
