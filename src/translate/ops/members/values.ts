import { isDeepStrictEqual } from 'node:util'
import { isUnset, type JsonObject, type JsonValue, setMember } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op, PlacedStep } from '../../change.ts'
import type { StepContext } from '../../message.ts'
import { type ByClient, forClient } from '../by-client.ts'
import { type Derived, derive, type Edit, everywhere, isPlain, named, ownCopy, type Whole } from '../everywhere.ts'
import { type Case, casesAt } from '../sample.ts'

/** Another spelling of a value; undefined leaves it as it is. */
export type Respell = (
  value: JsonValue,
  object: JsonObject,
  context: StepContext,
  whole: Whole,
) => JsonValue | undefined

/** Which value becomes which; others stay as they are. */
export type Pairs = readonly (readonly [from: JsonValue, to: JsonValue])[]

type Spelling = Respell | Pairs | ByClient<Respell>

const byPairs =
  (pairs: Pairs): Respell =>
  (value) => {
    const to = pairs.find(([from]) => isDeepStrictEqual(from, value))?.[1]
    return to === undefined ? undefined : ownCopy(to)
  }

function respell(member: string, spelling: Spelling | undefined): Edit {
  const spell = isPairs(spelling) ? byPairs(spelling) : spelling
  return (object, context, whole) => {
    const value = object[member]
    if (value === undefined || spell === undefined) return
    const other = forClient(spell, context.client)?.(value, object, context, whole)
    if (other !== undefined) object[member] = other
  }
}

const isPairs = (spelling: Spelling | RetypedOptions['samples']): spelling is Pairs => Array.isArray(spelling)

export interface RetypedOptions {
  /** Each value in the older and in the newer version, for both directions. */
  readonly pairs?: Pairs
  readonly toNewer?: Spelling
  readonly toOlder?: Spelling
  readonly sides?: 'request' | 'response' | 'both'
  readonly words?: string
  /** Values in the older and in the newer version, or for each function, of which examples are made. */
  readonly samples?: Pairs | { readonly toNewer?: Pairs; readonly toOlder?: Pairs }
}

function reversed(pairs: Pairs): Pairs
function reversed(pairs: Pairs | undefined): Pairs | undefined
function reversed(pairs: Pairs | undefined): Pairs | undefined {
  return pairs?.map(([older, newer]) => [newer, older])
}

/** A member whose type or spelling differs: `toNewer` and `toOlder` convert; on which side is for `sides` to say. */
export function retyped(shape: Shape, member: string, options: RetypedOptions): Op {
  const { pairs, sides = 'both', words, samples = [] } = options
  const { toNewer = pairs, toOlder = reversed(pairs) } = options
  const [newer, older] = [respell(member, toNewer), respell(member, toOlder)]
  const requests = sides !== 'response'
  const responses = sides !== 'request'
  const steps = (): PlacedStep[] => [
    ...(requests && toNewer ? everywhere(shape, 'requestUp', newer) : []),
    ...(requests && toOlder ? everywhere(shape, 'requestDown', older) : []),
    ...(responses && toOlder ? everywhere(shape, 'responseDown', older) : []),
    ...(responses && toNewer ? everywhere(shape, 'responseUp', newer) : []),
  ]
  const cases = (pairs: Pairs): Case[] => pairs.map(([from, to]) => [{ [member]: from }, { [member]: to }])
  const given = isPairs(samples) ? { toNewer: samples, toOlder: reversed(samples) } : samples
  const up = cases(isPairs(toNewer) ? toNewer : (given.toNewer ?? []))
  const down = cases(isPairs(toOlder) ? toOlder : (given.toOlder ?? []))
  return {
    words: words ?? `${named(shape, member)} has another form`,
    adds: { shape: shape.name, member },
    steps,
    examples: (_change, on) => [
      ...casesAt(shape, 'requestUp', up, on),
      ...casesAt(shape, 'requestDown', down, on),
      ...casesAt(shape, 'responseDown', down, on),
      ...casesAt(shape, 'responseUp', up, on),
    ],
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
  const cases = (value: Derived | undefined): Case[] =>
    value !== undefined && isPlain(value) ? [[{}, { [member]: value }]] : []
  return {
    words: `${named(shape, member)} has another default`,
    adds: { shape: shape.name, member },
    steps,
    examples: (_change, on) => [
      ...casesAt(shape, 'requestUp', cases(options.before), on),
      ...casesAt(shape, 'requestDown', cases(options.after), on),
    ],
  }
}
