import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import { formatVersion } from '../../../api/version.ts'
import type { Op } from '../../change.ts'
import type { StepContext } from '../../message.ts'
import { ByClient, forClient, ownCopy, type Whole } from '../derived.ts'
import { type Edit, named, shapeOp } from '../everywhere.ts'
import type { Case, Circumstances } from '../sample.ts'

/** Another spelling of a value; undefined leaves it as it is. */
export type Respell = (value: JsonValue, object: JsonObject, context: StepContext, body: Whole) => JsonValue | undefined

/** Maps values; others stay unchanged. */
export type Pairs = readonly (readonly [from: JsonValue, to: JsonValue, circumstances?: Circumstances | undefined])[]

type Spelling = Respell | Pairs | ByClient<Respell | Pairs>

function byPairs(pairs: Pairs, value: JsonValue): JsonValue | undefined {
  const to = pairs.find(([from]) => isDeepStrictEqual(from, value))?.[1]
  return to === undefined ? undefined : ownCopy(to)
}

function respell(member: string, spelling: Spelling | undefined): Edit {
  return (object, context, whole) => {
    const value = object[member]
    const spell = value === undefined ? undefined : forClient(spelling, context.client)
    if (value === undefined || spell === undefined) return
    const other = isPairs(spell) ? byPairs(spell, value) : spell(value, object, context, whole)
    if (other !== undefined) object[member] = other
  }
}

const isPairs = (spelling: Spelling | undefined): spelling is Pairs => Array.isArray(spelling)

/** The pairs of a spelling that is given as pairs; by client, for the first version of each. */
function pairsOf(spelling: Spelling | undefined): Pairs {
  if (isPairs(spelling)) return spelling
  if (!(spelling instanceof ByClient)) return []
  return spelling.history.flatMap(([from, own]) =>
    isPairs(own) ? own.map(([before, after]) => [before, after, { client: formatVersion(from) }] as const) : [],
  )
}

export interface RetypedOptions {
  /** Each value in the older and in the newer version, for both directions. */
  readonly pairs?: Pairs
  readonly toNewer?: Spelling
  readonly toOlder?: Spelling
  readonly description?: string
  /** Examples `[from, to]` of the one function, or a list for each; with both functions `[older, newer]`. */
  readonly samples?: Samples | { readonly toNewer?: Samples; readonly toOlder?: Samples }
}

/** A value without a second one stays as it is. */
type Samples = readonly (readonly [from: JsonValue, to?: JsonValue, circumstances?: Circumstances | undefined])[]

const reversed = (pairs: Samples): Pairs => pairs.map(([older, newer = older, how]) => [newer, older, how])

/** A member whose type or spelling differs: `toNewer` and `toOlder` convert. */
export function retyped(shape: Shape, member: string, options: RetypedOptions): Op {
  const { pairs, description, samples = [] } = options
  const { toNewer = pairs, toOlder = pairs && reversed(pairs) } = options
  const [newer, older] = [respell(member, toNewer), respell(member, toOlder)]
  const toPairs = (pairs: Samples): Case[] =>
    pairs.map(([from, to = from, how]) => [{ [member]: from }, { [member]: to }, how])
  const given = 'length' in samples ? { toNewer: samples, toOlder: toNewer ? reversed(samples) : samples } : samples
  const up = toPairs([...pairsOf(toNewer), ...(given.toNewer ?? [])])
  const down = toPairs([...pairsOf(toOlder), ...(given.toOlder ?? [])])
  return shapeOp(
    shape,
    { description: description ?? `${named(shape, member)} has another form`, member },
    () => ({
      requestUp: toNewer && newer,
      requestDown: toOlder && older,
      responseDown: toOlder && older,
      responseUp: toNewer && newer,
    }),
    () => ({ requestUp: up, requestDown: down, responseDown: down, responseUp: up }),
  )
}
