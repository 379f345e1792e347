import type { JsonObject } from '../../api/json/json.ts'
import { type OperationName, operationNames } from '../../api/operations.ts'
import type { Shape } from '../../api/shapes/shape.ts'
import type { BoundChange, Leg, Op, Part, PlacedStep, RequestLeg } from '../change.ts'
import type {
  EmulationContext,
  OnLoss,
  RequestMessage,
  RequestStep,
  ResponseMessage,
  ResponseStep,
  StepContext,
} from '../message.ts'
import { everywhere } from './everywhere.ts'

type OnRequest = (message: RequestMessage, context: StepContext, change: BoundChange) => void
type OnResponse = (message: ResponseMessage, context: StepContext, change: BoundChange) => ReturnType<ResponseStep>

export interface ByHand {
  readonly requestUp?: OnRequest
  readonly responseDown?: OnResponse
  readonly requestDown?: OnRequest
  readonly responseUp?: OnResponse
  /** What the functions touch: `head` (query, path, headers, status), `body` (and head), or `error`. Default `body`. */
  readonly part?: Part
  /** Take out newer members only: left out with `--newer-fields pass`. */
  readonly stripsNewer?: true
  readonly profile?: 'engine' | 'spec'
  /** They look at one element of a list, or one record of a stream, at a time. */
  readonly elementwise?: true
  /** What the functions do with values that the other version cannot express. */
  readonly onLoss?: OnLoss | readonly OnLoss[]
  /** Which values these are, for people, where the words of the op do not say it. */
  readonly loses?: string
  /** Which leg loses them, where both edit the request and only one does. */
  readonly losesOn?: RequestLeg
}

const legs = ['requestUp', 'responseDown', 'requestDown', 'responseUp'] as const satisfies readonly Leg[]

function lossOf(
  words: string,
  { onLoss, loses, losesOn }: Pick<ByHand, 'onLoss' | 'loses' | 'losesOn'>,
): Pick<Op, 'loss'> {
  if (onLoss === undefined) return {}
  const on = losesOn === undefined ? {} : { on: losesOn }
  return { loss: { what: loses ?? words, onLoss: typeof onLoss === 'string' ? [onLoss] : onLoss, ...on } }
}

/** What data cannot say. `operations`: names, or `every`. Over 15 lines a function moves to a file of its own. */
export function byHand(
  operations: OperationName | readonly OperationName[] | 'every',
  words: string,
  hand: ByHand,
): Op {
  const names = operations === 'every' ? operationNames : typeof operations === 'string' ? [operations] : operations
  const common = {
    part: hand.part ?? 'body',
    ...(hand.stripsNewer ? { stripsNewer: true as const } : {}),
    ...(hand.profile ? { profile: hand.profile } : {}),
    ...(hand.elementwise ? { elementwise: hand.elementwise } : {}),
  }
  const steps = (change: BoundChange): PlacedStep[] =>
    names.flatMap((operation) =>
      legs.flatMap((leg): PlacedStep[] => {
        switch (leg) {
          case 'requestUp':
          case 'requestDown': {
            const edit = hand[leg]
            const run: RequestStep = (message, context) => edit?.(message, context, change)
            return edit === undefined ? [] : [{ ...common, operation, leg, kind: 'step', run }]
          }
          case 'responseDown':
          case 'responseUp': {
            const edit = hand[leg]
            const run: ResponseStep = (message, context) => edit?.(message, context, change)
            return edit === undefined ? [] : [{ ...common, operation, leg, kind: 'step', run }]
          }
          default:
            return leg satisfies never
        }
      }),
    )
  return {
    words: `${operations === 'every' ? 'every operation' : names.join(', ')}: ${words}`,
    ...lossOf(words, hand),
    steps,
  }
}

/**
 * The same for every object of a shape, wherever it stands: the functions see that object alone, so that lists are
 * translated element by element.
 */
export function onEach(
  shape: Shape,
  words: string,
  hand: Partial<Record<Leg, (object: JsonObject, context: StepContext) => void>>,
): Op {
  const steps = (): PlacedStep[] =>
    legs.flatMap((leg) => {
      const edit = hand[leg]
      return edit === undefined ? [] : everywhere(shape, leg, (object, context) => edit(object, context))
    })
  const operations = [...new Set(steps().map(({ operation }) => operation))]
  return { words: `${operations.join(', ')}: ${words}`, steps }
}

export interface Emulation {
  readonly requestUp?: (message: RequestMessage, context: EmulationContext, change: BoundChange) => Promise<void>
  readonly responseDown?: (message: ResponseMessage, context: EmulationContext, change: BoundChange) => Promise<void>
  readonly requestDown?: (message: RequestMessage, context: EmulationContext, change: BoundChange) => Promise<void>
  readonly responseUp?: (message: ResponseMessage, context: EmulationContext, change: BoundChange) => Promise<void>
  /** `head` when the function needs no parsed body. Default `body`. */
  readonly part?: Part
  /** What the functions do with values that the other version cannot express. */
  readonly onLoss?: OnLoss | readonly OnLoss[]
  /** Which values these are, for people, where the words of the op do not say it. */
  readonly loses?: string
}

/**
 * A change that needs further engine calls. Request emulations run after all steps (the message is already in the
 * engine's form), response emulations before all steps (the answer still is).
 */
export function emulated(
  operations: OperationName | readonly OperationName[],
  words: string,
  emulation: Emulation,
): Op {
  const names = typeof operations === 'string' ? [operations] : operations
  const part = emulation.part ?? 'body'
  const steps = (change: BoundChange): PlacedStep[] =>
    names.flatMap((operation) =>
      legs.flatMap((leg): PlacedStep[] => {
        switch (leg) {
          case 'requestUp':
          case 'requestDown': {
            const run = emulation[leg]
            if (run === undefined) return []
            return [{ operation, part, leg, kind: 'emulation', run: (m, c) => run(m, c, change) }]
          }
          case 'responseDown':
          case 'responseUp': {
            const run = emulation[leg]
            if (run === undefined) return []
            return [{ operation, part, leg, kind: 'emulation', run: (m, c) => run(m, c, change) }]
          }
          default:
            return leg satisfies never
        }
      }),
    )
  const loss = lossOf(words, emulation)
  return { words: `${names.join(', ')}: ${words} (with further engine calls)`, ...loss, steps }
}

/** An older client gets the answer when its body has come: until then an error may still be an error. */
export const headHeld = (operation: OperationName, words: string): Op => ({
  words: `${operation}: ${words} (with further engine calls)`,
  steps: () => [
    { operation, part: 'body', leg: 'responseDown', kind: 'emulation', holdsHead: true, run: async () => undefined },
  ],
})
