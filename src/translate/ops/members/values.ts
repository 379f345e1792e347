import { isDeepStrictEqual } from 'node:util'
import { ProxyError } from '../../../api/errors.ts'
import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op, RequestLeg } from '../../change.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { type ByClient, forClient } from '../by-client.ts'
import { type Edit, named, ownCopy, shapeOp, type Whole } from '../everywhere.ts'
import { type Case, literally, refusalOf } from '../sample.ts'

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

export const byPairs =
  (pairs: Pairs) =>
  (value: JsonValue): JsonValue | undefined => {
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

const reversed = (pairs: Pairs): Pairs => pairs.map(([older, newer]) => [newer, older])

/** A member whose type or spelling differs: `toNewer` and `toOlder` convert; on which side is for `sides` to say. */
export function retyped(shape: Shape, member: string, options: RetypedOptions): Op {
  const { pairs, sides = 'both', words, samples = [] } = options
  const { toNewer = pairs, toOlder = pairs && reversed(pairs) } = options
  const [newer, older] = [respell(member, toNewer), respell(member, toOlder)]
  const requests = sides !== 'response'
  const responses = sides !== 'request'
  const toPairs = (pairs: Pairs): Case[] => pairs.map(([from, to]) => [{ [member]: from }, { [member]: to }])
  const given = isPairs(samples) ? { toNewer: samples, toOlder: reversed(samples) } : samples
  const up = toPairs(isPairs(toNewer) ? toNewer : (given.toNewer ?? []))
  const down = toPairs(isPairs(toOlder) ? toOlder : (given.toOlder ?? []))
  return shapeOp(
    shape,
    { words: words ?? `${named(shape, member)} has another form`, member },
    () => ({
      requestUp: requests && toNewer ? newer : undefined,
      requestDown: requests && toOlder ? older : undefined,
      responseDown: responses && toOlder ? older : undefined,
      responseUp: responses && toNewer ? newer : undefined,
    }),
    () => ({ requestUp: up, requestDown: down, responseDown: down, responseUp: up }),
  )
}

export interface RefusedWhereOptions {
  /** `requestUp`: an older client's objects, which newer engines ignore or read in another way. */
  readonly leg?: RequestLeg
  /** By default the loss is refused. */
  readonly onLoss?: OnLoss
  /** Names the part of an object that the engine cannot do; undefined if there is none. */
  readonly finds: (object: JsonObject, context: StepContext) => string | undefined
  /** The error of engines of the client's version for it; by default the refusal of a loss. */
  readonly says?: (found: string) => string
  /** Objects that are refused, with what the refusal names. */
  readonly samples: readonly (readonly [object: JsonObject, what: string, circumstances?: { client?: string }])[]
  /** Objects that stay. */
  readonly stay?: readonly JsonObject[]
}

/**
 * Refuses objects that an older engine cannot honour, or would not check, where a single member's presence does not tell.
 */
export function refusedWhere(
  shape: Shape,
  words: string,
  { leg = 'requestDown', onLoss = 'refuse', finds, says, samples, stay = [] }: RefusedWhereOptions,
): Op {
  const loss = { what: words, onLoss: [onLoss] }
  return shapeOp(
    shape,
    { words: `${shape.name}: ${words}`, ...(says === undefined ? { loss } : {}) },
    (change) => ({
      [leg]: (object: JsonObject, context: StepContext) => {
        const what = finds(object, context)
        if (what === undefined) return
        if (says !== undefined) throw new ProxyError('validation', says(what))
        context.lose({ what, needs: change.from, change: change.id, onLoss })
      },
    }),
    ({ from }) => {
      const refusal = (what: string): RegExp =>
        says === undefined ? refusalOf(what, { version: from }) : new RegExp(`^${literally(says(what))}$`)
      const found = samples.map(
        ([object, what, circumstances = {}]): Case =>
          onLoss === 'refuse' ? [object, refusal(what), circumstances] : [object, object, { losses: [what] }],
      )
      return { [leg]: [...found, ...stay.map((object): Case => [object, object])] }
    },
  )
}

/**
 * Values of a member that exist from this version on; `container:…` is every value that begins so. A newer client's request
 * with one is refused on an older engine, in the `words` of that engine where they are given.
 */
export function valueAdded(
  shape: Shape,
  member: string,
  values: readonly string[],
  { words }: { readonly words?: (value: string) => string } = {},
): Op {
  const of = (value: string): string => `${named(shape, member)} ${value}`
  const matches = (value: string, wanted: string): boolean =>
    wanted.endsWith('…') ? value.startsWith(wanted.slice(0, -1)) : value === wanted
  const what = values.map(of).join(', ')
  return shapeOp(
    shape,
    { words: `${what}: new`, member, loss: { what, onLoss: ['refuse'] } },
    (change) => ({
      requestDown: (object, context) => {
        const value = object[member]
        const found = typeof value === 'string' ? values.find((wanted) => matches(value, wanted)) : undefined
        if (found === undefined) return
        if (words !== undefined) throw new ProxyError('loss', words(found))
        context.lose({ what: of(found), needs: change.version, change: change.id, onLoss: 'refuse' })
      },
    }),
    (change) => {
      const refused = values.map((value): Case => {
        const text = words === undefined ? refusalOf(of(value), change) : new RegExp(`^${literally(words(value))}$`)
        return [{ [member]: value.replace('…', 'x') }, text]
      })
      return { requestDown: [...refused, [{ [member]: 'other' }, { [member]: 'other' }]] }
    },
  )
}

/** A member that engines of the client's version ignore: its request loses it. By default where the older version does. */
export function ignored(
  shape: Shape,
  member: string,
  { leg = 'requestUp', sample, where = () => true }: IgnoredOptions,
): Op {
  const what = named(shape, member)
  return shapeOp(
    shape,
    { words: `${what} is ignored, and left out`, member },
    ({ id }) => ({
      [leg]: (object: JsonObject, context: StepContext) => {
        const value = object[member]
        if (value === undefined || !where(object, context)) return
        delete object[member]
        if (!isUnset(value) && !(Array.isArray(value) && value.every(isUnset))) context.ignore(what, id)
      },
    }),
    () => ({ [leg]: [[{ [member]: sample }, {}]] }),
  )
}

export interface IgnoredOptions {
  readonly leg?: RequestLeg
  readonly sample: JsonValue
  readonly where?: (object: JsonObject, context: StepContext) => boolean
}
