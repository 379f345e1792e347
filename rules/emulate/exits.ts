import { setTimeout } from 'node:timers/promises'
import { ProxyError, unlessFailed } from '../../src/api/errors.ts'
import { asJson, isObject, type JsonObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import {
  type EmulationContext,
  HeldAnswer,
  type RequestMessage,
  type ResponseMessage,
} from '../../src/translate/message.ts'
import { hasExited, inspectOnceStopped, NEVER, stateOf } from '../../src/translate/run/old-engines.ts'
import { inspectCalled } from './looked-up.ts'

/**
 * An older engine waits until the container is not running, as `not-running` does. The bridge answers the other conditions
 * itself: their clients start the container once the head of the answer has arrived, but an older engine sends its head
 * when the container has stopped.
 */
export async function waitUntilStopped({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  const condition = query.get('condition') ?? ''
  query.delete('condition')
  if (condition === '' || condition === 'not-running') return
  if (condition !== 'next-exit' && condition !== 'removed') {
    // Engines refuse an unknown condition from 23.0 on; before, it meant `not-running`.
    if (context.client >= 42) throw new ProxyError('validation', `invalid condition: "${condition}"`)
    return
  }
  await answerByEvents(condition, context)
}

/** Answers a wait in the place of the engine, which ends with the client. */
export async function answerByEvents(
  condition: 'next-exit' | 'removed',
  context: EmulationContext,
  podman = false,
): Promise<void> {
  const { status, body } = await inspectCalled(context)
  if (status >= 400 || !isObject(body)) return // the engine will report it
  const controller = new AbortController()
  const began = stateOf(body)['Running'] === true ? stateOf(body)['StartedAt'] : body['Created']
  const since = podman ? String(began) : undefined
  const container: Waited = { context, id: String(body['Id']), since, signal: controller.signal }
  const code = condition === 'next-exit' ? nextExit(container) : removal(container, stateOf(body))
  const abort = (): void => controller.abort()
  throw new HeldAnswer(code.then((StatusCode) => ({ StatusCode })).finally(abort), abort)
}

/** How long the code of a container that is gone is waited for: one that never ran has none. */
const LATE_MS = 1000
/** An event has all labels of its container. */
const LONGEST_EVENT = 1 << 20
const PODMANS = { die: 'died', destroy: 'remove' } as const

interface Waited {
  readonly context: EmulationContext
  readonly id: string
  /** Podman's: when it began to run, or was made. */
  readonly since: string | undefined
  readonly signal: AbortSignal
}

async function removal(container: Waited, state: JsonObject): Promise<number> {
  const byBridge = container.context.autoRemoval?.removed(container.id)
  if (byBridge !== undefined) return byBridge
  let code = codeOf(state)
  const exit = nextExit(container)
    .then((next) => {
      code = next
    })
    .catch(() => undefined) // a container that never runs has no exit
  await nextEvent(container, 'destroy')
  await Promise.race([exit, setTimeout(LATE_MS, undefined, { ref: false })]) // another stream, which may be behind
  return code
}

/** Engines from 1.11 on send the code with the event; otherwise inspect has it. */
async function nextExit(container: Waited): Promise<number> {
  const { context, id } = container
  const event = await nextEvent(container, 'die')
  const actor = objectOf(event['Actor'])
  const code = memberAt(actor['Attributes'], 'exitCode')
  if (code !== undefined) return Number(code)
  const { body } = await inspectOnceStopped(() => context.engineCall('GET', `/containers/${id}/json`))
  return codeOf(stateOf(body))
}

const codeOf = (state: JsonObject): number => Number(state['ExitCode'] ?? 0)

/**
 * The next event with that action; requested immediately, before the client can do anything. Podman begins to listen after
 * it has sent its head: there the log is read from the start of the container on.
 */
async function nextEvent({ context, id, since, signal }: Waited, event: 'die' | 'destroy'): Promise<JsonObject> {
  const filters = JSON.stringify({ container: [id], event: [since === undefined ? event : PODMANS[event]] })
  const window = since === undefined ? { until: NEVER } : { since }
  const path = `/events?${new URLSearchParams({ ...window, filters })}`
  const { start } = await context.engineStart('GET', path, { bytes: LONGEST_EVENT, untilRecord: true, signal })
  const record = asJson(start.toString())
  if (!isObject(record)) throw new ProxyError('engine-broke-off', `the engine ended its events before a ${event}`)
  return record
}

/** Note of the code for the record at hand. */
export const EXIT_CODE = '1.23/exit-code'
/** Timeout for the code of a `die`, because later records wait for it. */
const TIMEOUT_MS = 10_000

/**
 * Looks up the exit code that the engine's `die` event lacks: `docker run` below 1.30 exits with it (docker/cli,
 * container/utils.go: legacyWaitExitOrRemoved), and with 125 without it. If the container cannot be inspected, the record
 * stays unchanged.
 */
export async function lookUpExitCode({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  context.memory.delete(EXIT_CODE)
  if (!isObject(body) || body['status'] !== 'die' || typeof body['id'] !== 'string') return
  const removed = context.autoRemoval?.removed(body['id']) // a container that the bridge removes may be gone already
  const found = removed ?? inspectedCode(body, body['id'], context)
  const code = await unlessFailed(Promise.race([found, setTimeout(TIMEOUT_MS, undefined, { ref: false })]))
  if (code !== undefined) context.memory.set(EXIT_CODE, String(code))
}

/** Undefined if the container has been started again since. */
async function inspectedCode(event: JsonObject, id: string, context: EmulationContext): Promise<number | undefined> {
  const path = `/containers/${id}/json`
  if (!context.allows('GET', path)) return undefined
  const inspect = () => context.engineCall('GET', path)
  const later = (state: JsonObject): boolean =>
    Date.parse(String(state['StartedAt'])) >= (Number(event['time']) + 1) * 1000
  const { status, body } = await inspectOnceStopped(inspect, later)
  const state = stateOf(body)
  return status >= 400 || !hasExited(state) || later(state) ? undefined : Number(state['ExitCode'] ?? 0)
}
