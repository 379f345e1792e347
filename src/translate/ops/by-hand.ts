import { unlessFailed } from '../../api/errors.ts'
import { type OperationName, operationNames } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import { defined } from '../../config/defined.ts'
import {
  type BoundChange,
  type ByLeg,
  LEGS,
  type Leg,
  type Op,
  type Part,
  type PlacedStep,
  type RequestLeg,
  type ResponseLeg,
} from '../change.ts'
import { type ExampleRow, examplesAt } from '../example.ts'
import type { EmulationContext, OnLoss, Outcome, RequestMessage, ResponseMessage, StepContext } from '../message.ts'
import { type Edit, shapeOp } from './everywhere.ts'

export type Operations = OperationName | readonly OperationName[]

type Functions<Context, Request, Response> = {
  readonly [L in RequestLeg]?: ((message: RequestMessage, context: Context, change: BoundChange) => Request) | undefined
} & {
  readonly [L in ResponseLeg]?:
    | ((message: ResponseMessage, context: Context, change: BoundChange) => Response)
    | undefined
}

interface Facts {
  /** The part of the call that the functions touch: `head` (query, path, headers, status), `body` (and head), or `error`. Default `body`. */
  readonly part?: Part | ByLeg<Part>
  /** Outcome for values that the other version cannot express. */
  readonly onLoss?: OnLoss | readonly OnLoss[]
  /** Names these values for users, if the description of the op does not. */
  readonly loses?: string
  /** The leg that loses them, if both request legs are edited and only one loses values. */
  readonly losesOn?: RequestLeg
  /** The functions only remove newer members, on all legs or on these: skipped with `--newer-fields pass`. */
  readonly stripsNewer?: true | readonly Leg[]
  readonly profile?: 'engine' | 'spec'
  readonly holdsHead?: true
  /** The functions handle one element of a list, or one record of a stream, at a time. */
  readonly elementwise?: true
}

export type ByHand = Functions<StepContext, void, Outcome> & Facts
export type Emulation = Functions<EmulationContext, Promise<void>, Promise<void>> & Facts

/** Rows of examples for the legs of an op. */
export type Rows = (change: BoundChange) => ByLeg<readonly ExampleRow[]>

/** One operation, or several. */
export const list = (operations: Operations): readonly OperationName[] =>
  typeof operations === 'string' ? [operations] : operations

/** A further call that fails does not take the place of the error that the client is to read. */
const besideError =
  (run: (message: never, context: never) => unknown) =>
  (message: never, context: never): Promise<unknown> =>
    unlessFailed(run(message, context) as Promise<void>)

/** Steps for each operation and leg, with examples in the operation asked for, or in the first. */
function callOp(
  operations: readonly OperationName[],
  description: string,
  hand: Functions<never, unknown, unknown> & Facts & Pick<PlacedStep, 'callsEngine'>,
  rows: Rows = () => ({}),
): Op {
  const { part = 'body', onLoss, loses = description, losesOn, stripsNewer = [] } = hand
  const place = (operation: OperationName, leg: Leg, change: BoundChange): PlacedStep[] => {
    const { [leg]: edit, profile, elementwise, callsEngine, holdsHead } = hand
    if (edit === undefined) return []
    const on = typeof part === 'string' ? part : (part[leg] ?? 'body')
    const plain = (message: never, context: never) => edit(message, context, change)
    const run = on === 'error' && callsEngine === true ? besideError(plain) : plain
    const strips = stripsNewer === true || stripsNewer.includes(leg) ? true : undefined
    const facts = defined({ profile, elementwise, callsEngine, holdsHead, stripsNewer: strips })
    return [{ part: on, operation, leg, run, ...facts } as PlacedStep]
  }
  const on = losesOn === undefined ? {} : { on: losesOn }
  return {
    description: `${operations === operationNames ? 'every operation' : operations.join(', ')}: ${description}`,
    ...(onLoss === undefined ? {} : { loss: { what: loses, onLoss: [onLoss].flat(), ...on } }),
    steps: (change) => operations.flatMap((operation) => LEGS.flatMap((leg) => place(operation, leg, change))),
    examples: (change, on = operations[0]) => {
      const byLeg = rows(change)
      return on === undefined ? [] : LEGS.flatMap((leg) => examplesAt(on, leg, undefined, byLeg[leg] ?? []))
    },
  }
}

/** Functions for changes that no other op can express. `operations`: names, or `every`. Over 15 lines a function moves to a file of its own. */
export const byHand = (operations: Operations | 'every', description: string, hand: ByHand, rows?: Rows): Op =>
  callOp(operations === 'every' ? operationNames : list(operations), description, hand, rows)

/** A change that needs further engine calls: see `callsEngine` in change.ts. */
export const emulated = (operations: Operations, description: string, emulation: Emulation, rows?: Rows): Op =>
  callOp(
    list(operations),
    `${description} (with further engine calls)`,
    { loses: description, ...emulation, callsEngine: true },
    rows,
  )

/**
 * The same for every object of a shape, wherever it stands: the functions see that object alone, so that lists are
 * translated element by element. `stripsNewer`: legs that do not run where members newer than the client pass.
 */
export const onEach = (shape: Shape, description: string, hand: ByLeg<Edit>, stripsNewer: readonly Leg[] = []): Op =>
  shapeOp(shape, { description: `${shape.name}: ${description}`, stripsNewer }, () => hand)
