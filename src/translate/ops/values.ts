import type { Op, PlacedStep } from '../change.ts'
import { isUnset, type JsonObject, type JsonValue, setMember } from '../json.ts'
import type { StepContext } from '../message.ts'
import type { Shape } from '../shape.ts'
import { type Derived, derive, type Edit, everywhere, named } from './everywhere.ts'

/** Another spelling of a value; undefined leaves it as it is. */
export type Respell = (value: JsonValue, object: JsonObject, context: StepContext) => JsonValue | undefined

function respell(member: string, spell: Respell | undefined): Edit {
  return (object, context) => {
    const value = object[member]
    const other = value === undefined ? undefined : spell?.(value, object, context)
    if (other !== undefined) object[member] = other
  }
}

/** A member whose type or spelling differs: `toNewer` and `toOlder` convert; on which side is for `sides` to say. */
export function retyped(
  shape: Shape,
  member: string,
  options: {
    toNewer?: Respell
    toOlder?: Respell
    sides?: 'request' | 'response' | 'both'
    words?: string
  },
): Op {
  const sides = options.sides ?? 'both'
  const up = respell(member, options.toNewer)
  const down = respell(member, options.toOlder)
  const steps = (): PlacedStep[] => [
    ...(sides === 'response' || !options.toNewer ? [] : everywhere(shape, 'requestUp', up)),
    ...(sides === 'response' || !options.toOlder ? [] : everywhere(shape, 'requestDown', down)),
    ...(sides === 'request' || !options.toOlder ? [] : everywhere(shape, 'responseDown', down)),
    ...(sides === 'request' || !options.toNewer ? [] : everywhere(shape, 'responseUp', up)),
  ]
  return {
    words: options.words ?? `${named(shape, member)} has another form`,
    adds: { shape: shape.name, member },
    steps,
  }
}

/**
 * A member whose default differs: a request that leaves it open gets the default of the client's version spelled out.
 * `create`: also where the parent object is missing.
 */
export function newDefault(
  shape: Shape,
  member: string,
  options: { before?: Derived; after?: Derived; create?: boolean },
): Op {
  const fill =
    (value: Derived | undefined): Edit =>
    (object, context, whole) => {
      const wanted = value === undefined ? undefined : derive(value, object, context, whole)
      if (wanted !== undefined && isUnset(object[member])) setMember(object, member, wanted)
    }
  const create = options.create === true ? { create: true } : {}
  const steps = (): PlacedStep[] => [
    ...(options.before === undefined ? [] : everywhere(shape, 'requestUp', fill(options.before), create)),
    ...(options.after === undefined ? [] : everywhere(shape, 'requestDown', fill(options.after), create)),
  ]
  return { words: `${named(shape, member)} has another default`, adds: { shape: shape.name, member }, steps }
}
