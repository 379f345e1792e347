import { writeJson } from '../../api/json/json.ts'
import type {
  EmulationContext,
  Outcome,
  PlannedStep,
  RequestMessage,
  ResponseMessage,
  StepContext,
} from '../message.ts'

type Message = RequestMessage | ResponseMessage
type Side = 'request' | 'response'

/** The parts of an exchange that steps need: their context, and the record of the changes that had an effect. */
interface Running {
  readonly context: EmulationContext
  readonly entry: {
    readonly changes: {
      measures(side: Side): boolean
      unmeasured(side: Side): void
      add(change: string, side: Side): void
    }
    readonly furtherCalls: number
  }
}

/** Runs the steps that do not call the engine; true if one of them drops the message. */
export const runWithoutEngine = <M extends Message>(
  steps: readonly PlannedStep<M>[],
  message: M,
  context: StepContext,
): boolean => steps.some(({ callsEngine, run }) => callsEngine !== true && run(message, context) === 'drop')

/** Limit in bytes for comparing a body before and after each step, which takes time proportional to steps × size. */
const COMPARED = 64 * 1024

/** Runs the steps of one part over a message. A promise only if one of them calls the engine. `size`: of the body, in bytes. */
export function runSteps<M extends Message>(
  exchange: Running,
  side: Side,
  steps: readonly PlannedStep<M>[],
  message: M,
  size: number,
): Outcome | Promise<Outcome> {
  if (steps.length === 0) return undefined
  const { changes } = exchange.entry
  if (!changes.measures(side)) return runFrom(0, steps, message, exchange.context)
  if (size <= COMPARED) return runFrom(0, steps, message, exchange.context, new Effects(exchange.entry, side, message))
  changes.unmeasured(side) // each step is compared, so all of them must see the whole message
  return runFrom(0, steps, message, exchange.context)
}

function runFrom<M extends Message>(
  from: number,
  steps: readonly PlannedStep<M>[],
  message: M,
  context: EmulationContext,
  effects?: Effects,
): Outcome | Promise<Outcome> {
  let ended = false
  for (let at = from; ; at++) {
    const step = steps[at]
    if (step === undefined) return ended ? 'last' : undefined
    let outcome: Outcome | Promise<void> = 'drop' // a step that throws has an effect as well
    try {
      outcome = step.run(message, context)
    } finally {
      if (!(outcome instanceof Promise)) effects?.of(step, outcome)
    }
    if (outcome instanceof Promise)
      return outcome.then(
        () => {
          effects?.of(step, undefined)
          return runFrom(at + 1, steps, message, context, effects)
        },
        (cause: unknown) => {
          effects?.of(step, 'drop')
          throw cause
        },
      )
    if (outcome === 'drop') return outcome
    ended ||= outcome === 'last'
  }
}

/**
 * Records for the audit which changes had an effect: most changes of a plan have none on a given message. Compares the
 * message before and after each step; a further engine call is an effect, too.
 */
class Effects {
  readonly #entry: Running['entry']
  readonly #side: Side
  readonly #message: Message
  #before: string
  #calls: number

  constructor(entry: Running['entry'], side: Side, message: Message) {
    this.#entry = entry
    this.#side = side
    this.#message = message
    this.#before = snapshot(message)
    this.#calls = entry.furtherCalls
  }

  of({ change }: { readonly change?: string }, outcome: Outcome): void {
    const { changes, furtherCalls } = this.#entry
    const after = outcome === 'drop' ? '' : snapshot(this.#message)
    if (change !== undefined && (outcome !== undefined || after !== this.#before || furtherCalls !== this.#calls))
      changes.add(change, this.#side)
    this.#before = after
    this.#calls = furtherCalls
  }
}

const snapshot = (message: Message): string =>
  [
    'path' in message ? `${message.method} ${message.path}?${message.query}` : message.status,
    message.headers.lines,
    message.text ?? '',
    'form' in message ? message.form : '',
    message.body === undefined ? '' : writeJson(message.body),
  ].join('\n\n')
