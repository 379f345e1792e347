import type { BoundChange, Op, PlacedStep } from '../../translate/change.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../translate/message.ts'

/**
 * A plan names every change that has a step for a call; most have no effect. The demo wraps the steps to name those
 * that changed this message.
 */
export function watched(changes: readonly BoundChange[], applied: (id: string) => void): BoundChange[] {
  return changes.map((bound) => {
    const ops = bound.change.ops.map(
      (op): Op => ({ ...op, steps: (of) => op.steps(of).map((step) => watchStep(step, () => applied(of.id))) }),
    )
    return { ...bound, change: { ...bound.change, ops } }
  })
}

function watchStep(step: PlacedStep, did: () => void): PlacedStep {
  switch (step.leg) {
    case 'requestUp':
    case 'requestDown':
      return step.kind === 'step'
        ? { ...step, run: watchRun(step.run, did) }
        : { ...step, run: watchEmulation(step.run, did) }
    case 'responseDown':
    case 'responseUp':
      return step.kind === 'step'
        ? { ...step, run: watchRun(step.run, did) }
        : { ...step, run: watchEmulation(step.run, did) }
    default:
      return step satisfies never
  }
}

type Message = RequestMessage | ResponseMessage

/** A step has an effect if the message differs, the record is dropped, or the call ends. */
const watchRun =
  <M extends Message, T>(run: (message: M, context: StepContext) => T, did: () => void) =>
  (message: M, context: StepContext): T => {
    const before = snapshot(message)
    let result: T | undefined
    let over = false
    try {
      result = run(message, context)
      over = true
      return result
    } finally {
      if (!over || result === 'drop' || snapshot(message) !== before) did()
    }
  }

/** An emulation that called the engine also counts as effective. */
const watchEmulation =
  <M extends Message>(run: (message: M, context: EmulationContext) => Promise<void>, did: () => void) =>
  async (message: M, context: EmulationContext): Promise<void> => {
    const before = snapshot(message)
    const asked = context.engineCalls
    let over = false
    try {
      await run(message, context)
      over = true
    } finally {
      if (!over || context.engineCalls !== asked || snapshot(message) !== before) did()
    }
  }

const snapshot = (message: Message): string =>
  JSON.stringify([message, message.headers.raw(), 'query' in message ? message.query.toString() : ''])
