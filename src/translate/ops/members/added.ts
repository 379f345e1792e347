import { isDeepStrictEqual } from 'node:util'
import { isUnset, type JsonObject, type JsonValue, setMember } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import { apiVersion, formatVersion } from '../../../api/version.ts'
import { defined } from '../../../config/defined.ts'
import { type BoundChange, type ByLeg, neighbour, type Op } from '../../change.ts'
import type { LossReport, OnLoss, StepContext } from '../../message.ts'
import { ByClient, type Derived, derive, derivedCases, isPlain, ownCopy, type Whole } from '../derived.ts'
import { type Edit, named, shapeOp } from '../everywhere.ts'
import { type Case, lost, type MadeSamples, madeCases } from '../sample.ts'

/** Whether requests have the member: a member of responses only cannot be lost. */
const asksFor = (shape: Shape): boolean => shape.places.some(({ side }) => side === 'request')

type IsNeutral = (value: JsonValue, object: JsonObject) => boolean

export interface AddedOptions {
  /** A value other than the default, from which the examples of each leg are made. */
  readonly sample?: JsonValue
  /** The value that a newer client gets from an older engine; left out when not given. */
  readonly up?: Derived
  /** Objects of an older engine, and the value that `up` gives: examples are made of these. */
  readonly upSamples?: MadeSamples
  /** Values that mean "not set" besides Go's zero values: dropped silently on an older engine. */
  readonly neutral?: readonly (JsonValue | IsNeutral)[] | IsNeutral
  /** Even an empty value counts as set: a service is a job by `GlobalJob: {}`, a umask may be 0. */
  readonly saysByBeing?: boolean
  /** If a newer client sets the member on an older engine; not for members of responses only. Protection and limits: `refuse`. */
  readonly onLoss?: OnLoss
  /** Expresses the value in another way for the older engine; returns true if that was possible. */
  readonly convert?: (value: JsonValue, object: JsonObject, context: StepContext, whole: Whole) => boolean
  /**
   * `keep`: an older client sees it all the same (its real engine had it, whatever the documents say). By client: older
   * clients see this value whatever it is, and none before the first.
   */
  readonly down?: 'strip' | 'keep' | ByClient<JsonValue>
  /**
   * `keep`: an older client's request keeps the member, because it restricts a container or command: engines
   * that serve many versions obey it whatever the prefix (tried with 20.10 at 1.18); without it there would be less protection.
   */
  readonly request?: 'drop' | 'keep'
}

/**
 * A member that exists from this version on. An older client's request loses it (its engine would have ignored it; but see `request`),
 * an older client's answer does not have it; a newer client's request loses it with a loss, its answer gets `up`.
 */
export function added(shape: Shape, member: string, options: AddedOptions): Op {
  const { onLoss, request } = options
  const what = named(shape, member)
  if (onLoss === undefined && asksFor(shape)) throw new Error(`${what}: onLoss is missing, and a request has it`)
  const facts = {
    ...{ description: `${what} is new`, member, stripsNewer: ['requestUp', 'responseDown'] as const },
    ...(onLoss !== undefined && asksFor(shape) ? { loss: { what, onLoss: [onLoss] } } : {}),
    ...(request === 'keep' ? { keeps: what } : {}),
  }
  const edits = (change: BoundChange): ByLeg<Edit> => {
    const ignore: Edit = (object, context) => {
      if (!Object.hasOwn(object, member)) return
      if (!saysNothing(object[member], options)) context.ignore(what, change.id)
      delete object[member]
    }
    const all = editsOf(member, options, { what, needs: change.version, change: change.id })
    return { ...all, requestUp: request === 'keep' ? undefined : ignore }
  }
  return shapeOp(shape, facts, edits, (change) => casesOf(member, options, what, change))
}

export interface RemovedOptions {
  /** The value that the older client gets when the engine no longer sends it. */
  readonly down: Derived
  /** Objects of a newer engine, and the value that `down` gives: examples are made of these. */
  readonly downSamples?: MadeSamples
  /** `drop`: newer engines ignore it in requests. `keep`: another step uses it. */
  readonly request?: 'drop' | 'keep'
  /** A value of older engines; by default `down`. */
  readonly sample?: JsonValue
  /** If an older client sets the member; default: dropped silently. */
  readonly onLoss?: OnLoss
}

/** A member that exists up to the version before. Older clients get it from `down`; newer clients do not see it. */
export function removed(shape: Shape, member: string, given: RemovedOptions): Op {
  const { down, downSamples = [], request, onLoss, sample = isPlain(down) ? down : undefined } = given
  const what = named(shape, member)
  const options = defined({ up: down, upSamples: downSamples, onLoss, sample })
  const edits = ({ id, version }: BoundChange): ByLeg<Edit> => {
    const all = editsOf(member, options, { what, needs: neighbour(version), change: id })
    const drop: Edit = (object) => delete object[member]
    if (request !== 'keep') return mirrored({ ...all, requestUp: drop })
    return mirrored({ ...all, requestDown: onLoss === undefined ? undefined : all.requestDown })
  }
  return shapeOp(
    shape,
    { description: `${what} is gone`, member, ...(onLoss === undefined ? {} : { loss: { what, onLoss: [onLoss] } }) },
    edits,
    (change) => mirrored(casesOf(member, options, what, change)),
  )
}

/** The same edits with the two versions exchanged. */
const mirrored = <T>({ requestUp, requestDown, responseDown, responseUp }: ByLeg<T>): ByLeg<T> => ({
  ...{ requestUp: requestDown, requestDown: requestUp, responseDown: responseUp, responseUp: responseDown },
})

const saysNothing = (value: JsonValue | undefined, { saysByBeing }: AddedOptions): boolean =>
  saysByBeing === true ? value === undefined || value === null : isUnset(value)

/** The edits of a member that only the newer version has, except for requests of older clients. */
function editsOf(member: string, options: AddedOptions, lost: Omit<LossReport, 'onLoss'>): ByLeg<Edit> {
  const { neutral = [], convert, onLoss, up, down } = options
  const isNeutral: IsNeutral = (value, object) =>
    [neutral].flat().some((one) => (typeof one === 'function' ? one(value, object) : isDeepStrictEqual(one, value)))
  const show: Edit = (object, context) => {
    const shown = down instanceof ByClient ? down.for(context.client) : undefined
    if (shown !== undefined) object[member] = ownCopy(shown)
    // undefined is not written; `delete` would make the object slow (measured on lists: twice the time).
    else if (object[member] !== undefined) object[member] = undefined
  }
  const supply: Edit = (object, context, whole) => {
    if (object[member] !== undefined) return
    const value = derive(up ?? null, object, context, whole)
    if (value !== undefined) setMember(object, member, value)
  }
  const lose: Edit = (object, context, whole) => {
    const value = object[member]
    delete object[member]
    if (onLoss === undefined || value === undefined || saysNothing(value, options) || isNeutral(value, object)) return
    if (!convert?.(value, object, context, whole)) context.lose({ ...lost, onLoss })
  }
  return {
    requestDown: lose,
    responseDown: down === 'keep' ? undefined : show,
    responseUp: up === undefined ? undefined : supply,
  }
}

/** The sample is there, spelt in another way, unset or neutral, and not there. */
function casesOf(
  member: string,
  { sample, neutral = [], onLoss, convert, up, upSamples = [], down }: AddedOptions,
  what: string,
  change: BoundChange,
): ByLeg<readonly Case[]> {
  const made = [...madeCases(member, upSamples), ...(up === undefined ? [] : derivedCases(member, up, sample))]
  if (sample === undefined) return { responseUp: made }
  const there: JsonObject = { [member]: sample }
  const spelt: JsonObject[] = [there, { [member.toLowerCase()]: sample }]
  // Converted values need examples by hand.
  const losing = convert === undefined ? spelt : []
  const silent = [null, ...[neutral].flat().filter((one) => typeof one !== 'function')]
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

/** The value that each client in the history sees, and one before it. */
function shownByClient(member: string, { history }: ByClient<JsonValue>, there: JsonObject): Case[] {
  const first = history.at(-1)?.[0]
  const shown = history.map(([client, value]): Case => [there, { [member]: value }, { client: formatVersion(client) }])
  return first === undefined ? [] : [...shown, [there, {}, { client: formatVersion(apiVersion(first - 1)) }]]
}

/** Several members with the same options. */
export const addedAll = (shape: Shape, members: readonly string[], options: AddedOptions): Op[] =>
  members.map((member) => added(shape, member, options))
