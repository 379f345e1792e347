import { type OperationName, operationNames } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import {
  type BoundChange,
  type ByLeg,
  type Example,
  LEGS,
  type Leg,
  type Op,
  type Part,
  type PlacedStep,
  type RequestLeg,
  type ResponseLeg,
  sideOf,
} from '../change.ts'
import type {
  EmulationContext,
  OnLoss,
  RequestMessage,
  ResponseMessage,
  ResponseStep,
  StepContext,
} from '../message.ts'
import { type Edit, shapeOp } from './everywhere.ts'

type Operations = OperationName | readonly OperationName[]

type Functions<Context, Request, Response> = {
  readonly [L in RequestLeg]?: ((message: RequestMessage, context: Context, change: BoundChange) => Request) | undefined
} & {
  readonly [L in ResponseLeg]?:
    | ((message: ResponseMessage, context: Context, change: BoundChange) => Response)
    | undefined
}

interface Facts {
  /** What the functions do with values that the other version cannot express. */
  readonly onLoss?: OnLoss | readonly OnLoss[]
  /** Which values these are, for people, where the words of the op do not say it. */
  readonly loses?: string
  /** Which leg loses them, where both edit the request and only one does. */
  readonly losesOn?: RequestLeg
}

export interface ByHand extends Functions<StepContext, void, ReturnType<ResponseStep>>, Facts {
  /** What the functions touch: `head` (query, path, headers, status), `body` (and head), or `error`. Default `body`. */
  readonly part?: Part | ByLeg<Part>
  /** Take out newer members only, on all legs or on these: left out with `--newer-fields pass`. */
  readonly stripsNewer?: true | readonly Leg[]
  readonly profile?: 'engine' | 'spec'
  /** They look at one element of a list, or one record of a stream, at a time. */
  readonly elementwise?: true
}

export interface Emulation extends Functions<EmulationContext, Promise<void>, Promise<void>>, Facts {
  /** `head` when the function needs no parsed body. Default `body`. */
  readonly part?: Part
}

/** The functions as steps of the change, for each operation. */
const placed =
  (
    names: readonly OperationName[],
    hand: Functions<never, unknown, unknown>,
    facts: (leg: Leg) => Omit<PlacedStep, 'operation' | 'leg' | 'run'>,
  ): Op['steps'] =>
  (change) =>
    names.flatMap((operation) =>
      LEGS.flatMap((leg) => {
        const edit = hand[leg]
        if (edit === undefined) return []
        const run = (message: never, context: never) => edit(message, context, change)
        return [{ ...facts(leg), operation, leg, run } as PlacedStep]
      }),
    )

function lossOf(words: string, { onLoss, loses, losesOn }: Facts): Pick<Op, 'loss'> {
  if (onLoss === undefined) return {}
  const on = losesOn === undefined ? {} : { on: losesOn }
  return { loss: { what: loses ?? words, onLoss: typeof onLoss === 'string' ? [onLoss] : onLoss, ...on } }
}

/** One operation, or several. */
export const list = (operations: Operations): readonly OperationName[] =>
  typeof operations === 'string' ? [operations] : operations

/** What data cannot say. `operations`: names, or `every`. Over 15 lines a function moves to a file of its own. */
export function byHand(operations: Operations | 'every', words: string, hand: ByHand): Op {
  const { part = 'body', stripsNewer = [], profile, elementwise } = hand
  const names = operations === 'every' ? operationNames : list(operations)
  const steps = placed(names, hand, (leg) => ({
    kind: 'step',
    part: typeof part === 'string' ? part : (part[leg] ?? 'body'),
    ...(stripsNewer === true || stripsNewer.includes(leg) ? { stripsNewer: true } : {}),
    ...(profile ? { profile } : {}),
    ...(elementwise ? { elementwise } : {}),
  }))
  const where = names === operationNames ? 'every operation' : names.join(', ')
  return { words: `${where}: ${words}`, ...lossOf(words, hand), steps }
}

/**
 * A change that needs further engine calls. Request emulations run after all steps (the message is already in the
 * engine's form), response emulations before all steps (the answer still is).
 */
export function emulated(operations: Operations, words: string, emulation: Emulation): Op {
  const { part = 'body' } = emulation
  const names = list(operations)
  const steps = placed(names, emulation, () => ({ kind: 'emulation', part }))
  return { words: `${names.join(', ')}: ${words} (with further engine calls)`, ...lossOf(words, emulation), steps }
}

/** An older client gets the answer when its body has come: until then an error may still be an error. */
export const headHeld = (operation: OperationName, words: string): Op => ({
  words: `${operation}: ${words} (with further engine calls)`,
  steps: () => [
    { operation, part: 'body', leg: 'responseDown', kind: 'emulation', holdsHead: true, run: async () => undefined },
  ],
})

/**
 * The same for every object of a shape, wherever it stands: the functions see that object alone, so that lists are
 * translated element by element.
 */
export function onEach(shape: Shape, words: string, hand: ByLeg<Edit>): Op {
  const sides = LEGS.filter((leg) => hand[leg] !== undefined).map(sideOf)
  const operations = shape.places.filter(({ side }) => sides.includes(side)).map(({ operation }) => operation)
  return shapeOp(shape, { words: `${[...new Set(operations)].join(', ')}: ${words}` }, () => hand)
}

/** Examples of the legs, in the operation asked for, or in the first. */
export const examplesIn =
  (
    operations: Operations,
    cases: (change: BoundChange, on: OperationName) => ByLeg<readonly Omit<Example, 'on' | 'leg'>[]>,
  ): NonNullable<Op['examples']> =>
  (change, on = list(operations)[0]) => {
    if (on === undefined) return []
    const byLeg = cases(change, on)
    return LEGS.flatMap((leg) => (byLeg[leg] ?? []).map((one) => ({ ...one, on, leg })))
  }
