import { ProxyError } from '../../../api/errors.ts'
import { isUnset, type JsonObject, type JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op, RequestLeg } from '../../change.ts'
import type { OnLoss, StepContext } from '../../message.ts'
import { named, shapeOp } from '../everywhere.ts'
import { type Case, literally, refusalOf } from '../sample.ts'

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
