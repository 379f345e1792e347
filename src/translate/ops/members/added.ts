import { isDeepStrictEqual } from 'node:util'
import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import { apiVersion, formatVersion } from '../../../api/version.ts'
import type { BoundChange, ByLeg, Op } from '../../change.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { ByClient } from '../by-client.ts'
import {
  type Derived,
  derive,
  derivedCases,
  type Edit,
  named,
  ownCopy,
  setIfMissing,
  shapeOp,
  takeOut,
  type Whole,
} from '../everywhere.ts'
import { type Case, lost, type MadeSamples, madeCases } from '../sample.ts'

/** Whether a client can say it: what only answers show cannot be lost. */
const asksFor = (shape: Shape): boolean => shape.places.some(({ side }) => side === 'request')

export interface AddedOptions {
  /** A value that says something: examples of each leg are made of it. */
  readonly sample?: JsonValue
  /** What a newer client gets from an older engine; left out when not given. */
  readonly up?: Derived
  /** Objects of an older engine, and what `up` makes of them: examples are made of these. */
  readonly upSamples?: MadeSamples
  /** Values that mean "not set" beside Go's zero values: dropped in silence on an older engine. */
  readonly neutral?: readonly JsonValue[] | ((value: JsonValue, object: JsonObject) => boolean)
  /** A value says something by being there, even an empty one: a service is a job by `GlobalJob: {}`, a umask may be 0. */
  readonly saysByBeing?: boolean
  /** When a newer client sets it on an older engine; not for what only answers show. Protection and limits: `refuse`. */
  readonly onLoss?: OnLoss
  /** Another way to say it on the older engine: returns true when it did. */
  readonly convert?: (value: JsonValue, object: JsonObject, context: StepContext, whole: Whole) => boolean
  /**
   * `keep`: an older client sees it all the same (its real engine had it, whatever the documents say). By client: older
   * clients see this value whatever it is, and none before the first.
   */
  readonly down?: 'strip' | 'keep' | ByClient<JsonValue>
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
  const { neutral, convert, onLoss = 'ignore', up, down, request } = options
  const what = named(shape, member)
  if (options.onLoss === undefined && asksFor(shape))
    throw new Error(`${what}: onLoss is missing, and a request has it`)
  const isNeutral =
    typeof neutral === 'function'
      ? neutral
      : (value: JsonValue) => neutral?.some((one) => isDeepStrictEqual(one, value)) ?? false
  const saysNothing = (value: JsonValue | undefined): boolean =>
    options.saysByBeing === true ? value === undefined || value === null : isUnset(value)
  const strip = takeOut(member)
  const show: Edit = (object, context, whole) => {
    const shown = down instanceof ByClient ? down.for(context.client) : undefined
    if (shown === undefined) strip(object, context, whole)
    else object[member] = ownCopy(shown)
  }
  const supply: Edit = (object, context, whole) =>
    setIfMissing(object, member, derive(up ?? null, object, context, whole))
  const edits = (change: BoundChange): ByLeg<Edit> => {
    const ignore: Edit = (object, context) => {
      if (!Object.hasOwn(object, member)) return
      if (!saysNothing(object[member])) context.ignore(what, change.id)
      delete object[member]
    }
    const lose: Edit = (object, context, whole) => {
      const value = object[member]
      delete object[member]
      if (value === undefined || saysNothing(value) || isNeutral(value, object)) return
      if (convert?.(value, object, context, whole)) return
      context.lose({ what, needs: change.version, change: change.id, onLoss })
    }
    return {
      requestUp: request === 'keep' ? undefined : ignore,
      requestDown: lose,
      responseDown: down === 'keep' ? undefined : show,
      responseUp: up === undefined ? undefined : supply,
    }
  }
  const facts = {
    ...{ words: `${what} is new`, member, stripsNewer: ['requestUp', 'responseDown'] as const },
    ...(asksFor(shape) ? { loss: { what, onLoss: [onLoss] } } : {}),
    ...(request === 'keep' ? { keeps: what } : {}),
  }
  return shapeOp(shape, facts, edits, (change) => addedCases(member, options, what, change))
}

/** The sample is there, spelt in another way, unset or neutral, and not there. */
function addedCases(
  member: string,
  { sample, neutral = [], onLoss = 'ignore', convert, up, upSamples = [], down }: AddedOptions,
  what: string,
  change: BoundChange,
): ByLeg<readonly Case[]> {
  const made = [...madeCases(member, upSamples), ...(up === undefined ? [] : derivedCases(member, up, sample))]
  if (sample === undefined) return { responseUp: made }
  const there: JsonObject = { [member]: sample }
  const spelt: JsonObject[] = [there, { [member.toLowerCase()]: sample }]
  // How a value is converted is for examples by hand.
  const losing = convert === undefined ? spelt : []
  const silent = [null, ...(typeof neutral === 'function' ? [] : neutral)]
  return {
    requestUp: spelt.map((before): Case => [before, {}]),
    requestDown: [
      ...losing.map((before) => lost<JsonObject>(before, {}, what, onLoss, change)),
      ...silent.map((value): Case => [{ [member]: value }, {}, { losses: [] }]),
    ],
    responseDown: down instanceof ByClient ? shownByClient(member, down, there) : [[there, {}]],
    responseUp: [...made, [there]],
  }
}

/** What each client in the history sees, and one before it. */
function shownByClient(member: string, { history }: ByClient<JsonValue>, there: JsonObject): Case[] {
  const first = history.at(-1)?.[0]
  const shown = history.map(([client, value]): Case => [there, { [member]: value }, { client: formatVersion(client) }])
  return first === undefined ? [] : [...shown, [there, {}, { client: formatVersion(apiVersion(first - 1)) }]]
}

/** Several members with the same options. */
export const addedAll = (shape: Shape, members: readonly string[], options: AddedOptions): Op[] =>
  members.map((member) => added(shape, member, options))
