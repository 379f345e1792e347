import { ProxyError } from '../../src/api/errors.ts'
import { asJson, isObject, type JsonObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import { type EmulationContext, HeldAnswer, type RequestMessage } from '../../src/translate/message.ts'
import { inspectOnceStopped, NEVER, stateOf } from '../../src/translate/run/old-engines.ts'
import { inspectCalled } from './looked-up.ts'

/** Engines refuse an unknown condition from 23.0 on; before, it meant `not-running`. */
const CHECKED_FROM = apiVersion(42)

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
    if (context.client >= CHECKED_FROM) throw new ProxyError('validation', `invalid condition: "${condition}"`)
    return
  }
  const { status, body } = await inspectCalled(context)
  if (status >= 400 || !isObject(body)) return // the engine will report it
  const controller = new AbortController()
  const container: Waited = { context, id: String(body['Id']), signal: controller.signal }
  const code = condition === 'next-exit' ? nextExit(container) : removal(container, stateOf(body))
  throw new HeldAnswer(
    code.then((StatusCode) => ({ StatusCode })),
    () => controller.abort(),
  )
}

interface Waited {
  readonly context: EmulationContext
  readonly id: string
  readonly signal: AbortSignal
}

async function removal(container: Waited, state: JsonObject): Promise<number> {
  const byBridge = container.context.autoRemoval?.removed(container.id)
  if (byBridge !== undefined) return byBridge
  let code = codeOf(state)
  const exit = nextExit(container).then((next) => {
    code = next
  })
  exit.catch(() => undefined) // a container that never runs has no exit
  await nextEvent(container, 'destroy')
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

/** The next event with that action; requested immediately, before the client can do anything. */
async function nextEvent({ context, id, signal }: Waited, event: string): Promise<JsonObject> {
  const filters = JSON.stringify({ container: [id], event: [event] })
  const path = `/events?${new URLSearchParams({ until: NEVER, filters })}`
  const { start } = await context.engineStart('GET', path, { bytes: 1, signal })
  const record = asJson(start.toString().trim())
  if (!isObject(record)) throw new ProxyError('engine-broke-off', `the engine ended its events before a ${event}`)
  return record
}
