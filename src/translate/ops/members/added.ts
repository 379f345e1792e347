import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import { apiVersion, formatVersion } from '../../../api/version.ts'
import type { BoundChange, Example, Leg, Op, PlacedStep } from '../../change.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { ByClient } from '../by-client.ts'
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
import { type Case, casesAt, refusalOf } from '../sample.ts'

/** Whether a client can say it: what only answers show cannot be lost. */
const asksFor = (shape: Shape): boolean => shape.places.some(({ side }) => side === 'request')

export interface AddedOptions {
  /** A value that says something: examples of each leg are made of it. */
  readonly sample?: JsonValue
  /** What a newer client gets from an older engine; left out when not given. */
  readonly up?: Derived
  /** Values that mean "not set" beside Go's zero values: dropped in silence on an older engine. */
  readonly neutral?: readonly JsonValue[] | ((value: JsonValue, object: JsonObject) => boolean)
  /** A value says something by being there, even an empty one: a service is a job by `GlobalJob: {}`, a umask may be 0. */
  readonly saysByBeing?: boolean
  /** When a newer client sets it on an older engine; not for what only answers show. Protection and limits: `refuse`. */
  readonly onLoss?: OnLoss
  /** Another way to say it on the older engine: returns true when it did. */
  readonly convert?: (value: JsonValue, object: JsonObject, context: StepContext) => boolean
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
  if (options.onLoss === undefined && asksFor(shape))
    throw new Error(`${named(shape, member)}: onLoss is missing, and a request has it`)
  const { neutral, convert, onLoss = 'ignore' } = options
  const isNeutral = typeof neutral === 'function' ? neutral : (value: JsonValue) => neutral?.includes(value) ?? false
  const saysNothing = (value: JsonValue | undefined): boolean =>
    options.saysByBeing === true ? value === undefined || value === null : isUnset(value)
  const strip = takeOut(member)
  const steps = (change: BoundChange): PlacedStep[] => {
    const ignore: Edit = (object, context) => {
      if (!Object.hasOwn(object, member)) return
      if (!saysNothing(object[member])) context.ignore(named(shape, member), change.id)
      delete object[member]
    }
    const lose: Edit = (object, context) => {
      const value = object[member]
      delete object[member]
      if (value === undefined || saysNothing(value) || isNeutral(value, object) || convert?.(value, object, context))
        return
      context.lose({ what: named(shape, member), needs: change.version, change: change.id, onLoss })
    }
    const show: Edit = (object, context) => {
      const shown = options.down instanceof ByClient ? options.down.for(context.client) : undefined
      if (shown === undefined) strip(object, context, undefined)
      else object[member] = ownCopy(shown)
    }
    const supply: Edit = (object, context, whole) => {
      setIfMissing(object, member, derive(options.up ?? null, object, context, whole))
    }
    return [
      ...(options.request === 'keep' ? [] : everywhere(shape, 'requestUp', ignore, { stripsNewer: true })),
      ...everywhere(shape, 'requestDown', lose),
      ...(options.up === undefined ? [] : everywhere(shape, 'responseUp', supply)),
      ...(options.down === 'keep' ? [] : everywhere(shape, 'responseDown', show, { stripsNewer: true })),
    ]
  }
  const loss = asksFor(shape) ? { loss: { what: named(shape, member), onLoss: [onLoss] } } : {}
  const keeps = options.request === 'keep' ? { keeps: named(shape, member) } : {}
  return {
    words: `${named(shape, member)} is new`,
    adds: { shape: shape.name, member },
    ...loss,
    ...keeps,
    steps,
    examples: (change, on) => addedExamples(shape, member, options, change, on),
  }
}

/** The sample is there, spelt in another way, unset or neutral, and not there. */
function addedExamples(
  shape: Shape,
  member: string,
  { sample, neutral = [], onLoss = 'ignore', convert, up, down }: AddedOptions,
  change: BoundChange,
  on: OperationName | undefined,
): Example[] {
  if (sample === undefined) return []
  const what = named(shape, member)
  const there = { [member]: sample }
  const spelt: JsonObject[] = [there, { [member.toLowerCase()]: sample }]
  const lost = onLoss === 'refuse' ? refusalOf(what, change) : {}
  const silent = [null, ...(typeof neutral === 'function' ? [] : neutral)]
  const at = (leg: Leg, cases: readonly Case[]): Example[] => casesAt(shape, leg, cases, on)
  const losing = spelt.map((before): Case => (onLoss === 'refuse' ? [before, lost] : [before, lost, [what]]))
  const plain = up !== undefined && isPlain(up)
  return [
    ...at(
      'requestUp',
      spelt.map((before): Case => [before, {}]),
    ),
    // How a value is converted is for examples by hand.
    ...(convert === undefined ? at('requestDown', losing) : []),
    ...at(
      'requestDown',
      silent.map((value): Case => [{ [member]: value }, {}, []]),
    ),
    ...(down instanceof ByClient ? shownByClient(shape, member, down, there, on) : at('responseDown', [[there, {}]])),
    ...(plain
      ? at('responseUp', [
          [{}, { [member]: up }],
          [there, there],
        ])
      : []),
  ]
}

/** What each client in the history sees, and one before it. */
function shownByClient(
  shape: Shape,
  member: string,
  { history }: ByClient<JsonValue>,
  there: JsonObject,
  on: OperationName | undefined,
): Example[] {
  const first = history.at(-1)?.[0]
  const before = first === undefined ? [] : [[apiVersion(first - 1), undefined] as const]
  return [...history, ...before].flatMap(([client, value]) =>
    casesAt(shape, 'responseDown', [[there, value === undefined ? {} : { [member]: value }]], on).map((example) => ({
      ...example,
      client: formatVersion(client),
    })),
  )
}

/** Several members with the same options. */
export const addedAll = (shape: Shape, members: readonly string[], options: AddedOptions): Op[] =>
  members.map((member) => added(shape, member, options))
