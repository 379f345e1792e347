import { writeJson } from '../../api/json/json.ts'
import { changeOf } from '../compile.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../message.ts'

type Message = RequestMessage | ResponseMessage
type Outcome = void | 'drop' | 'last'
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

/** Limit in bytes for comparing a body before and after each step, which takes time proportional to steps × size. */
const COMPARED = 64 * 1024

/**
 * Runs the steps of one part over a message. If the audit asks which steps had an effect, the message is compared
 * before and after each: plans name every change with a step for the call, and most have no effect. `size`: of the
 * body, in bytes.
 */
export function runSteps<M extends Message>(
  exchange: Running,
  side: Side,
  steps: readonly ((message: M, context: EmulationContext) => Outcome)[],
  message: M,
  size: number,
): Outcome {
  if (steps.length === 0) return undefined
  const { context, entry } = exchange // lazily: the context is created on first access
  const compares = comparesSteps(exchange, side, size)
  let before = compares ? snapshot(message) : ''
  let last = false
  for (const step of steps) {
    let outcome: Outcome = 'drop' // a step that throws has an effect as well
    try {
      outcome = step(message, context)
    } finally {
      if (compares) {
        const after = outcome === 'drop' ? '' : snapshot(message)
        if (outcome !== undefined || after !== before) note(entry, side, step)
        before = after
      }
    }
    if (outcome === 'drop') return outcome
    last ||= outcome === 'last'
  }
  return last ? 'last' : undefined
}

/** Like `runSteps`; an emulation that called the engine also counts as effective. */
export async function runEmulations<M extends Message>(
  { context, entry }: Running,
  side: Side,
  emulations: readonly ((message: M, context: EmulationContext) => Promise<void>)[],
  message: M,
  size: number,
): Promise<void> {
  for (const emulate of emulations) {
    const compares = comparesSteps({ entry }, side, size)
    const asked = entry.furtherCalls
    const before = compares ? snapshot(message) : ''
    let over = false
    try {
      await emulate(message, context)
      over = true
    } finally {
      const other = compares && snapshot(message) !== before
      if (!over || other || entry.furtherCalls !== asked) note(entry, side, emulate)
    }
  }
}

/** Each step is compared for the audit, so all of them must see the whole message. */
function comparesSteps({ entry }: Pick<Running, 'entry'>, side: Side, size: number): boolean {
  if (!entry.changes.measures(side)) return false
  if (size <= COMPARED) return true
  entry.changes.unmeasured(side)
  return false
}

function note(entry: Running['entry'], side: Side, step: object): void {
  const change = changeOf(step)
  if (change !== undefined) entry.changes.add(change, side)
}

const snapshot = (message: Message): string =>
  [
    'path' in message ? `${message.method} ${message.path}?${message.query}` : message.status,
    message.headers.raw().join('\n'),
    message.text ?? '',
    'form' in message ? message.form : '',
    message.body === undefined ? '' : writeJson(message.body),
  ].join('\n\n')
