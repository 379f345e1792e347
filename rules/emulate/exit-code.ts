import { setTimeout } from 'node:timers/promises'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { hasExited, inspectOnceStopped, stateOf } from '../../src/translate/run/old-engines.ts'

/** Note of the code for the record at hand. */
export const EXIT_CODE = '1.23/exit-code'
/** Timeout for the code of a `die`, because later records wait for it. */
const PATIENCE_MS = 10_000

/**
 * Looks up the exit code that the engine's `die` event lacks: `docker run` below 1.30 exits with it (docker/cli,
 * container/utils.go: legacyWaitExitOrRemoved), and with 125 without it. If the container cannot be inspected, the record
 * stays unchanged.
 */
export async function lookUpExitCode({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  context.memory.delete(EXIT_CODE)
  if (!isObject(body) || body['status'] !== 'die' || typeof body['id'] !== 'string') return
  try {
    const removed = context.autoRemoval?.removed(body['id']) // a container that the bridge removes may be gone already
    const waited = [
      removed ?? inspectedCode(body, body['id'], context),
      setTimeout(PATIENCE_MS, undefined, { ref: false }),
    ]
    const code = await Promise.race(waited)
    if (code !== undefined) context.memory.set(EXIT_CODE, String(code))
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause
  }
}

/** Undefined if the container has been started again since. */
async function inspectedCode(event: JsonObject, id: string, context: EmulationContext): Promise<number | undefined> {
  const path = `/containers/${id}/json`
  if (context.allows?.('GET', path) === false) return undefined
  const inspect = () => context.engineCall('GET', path)
  const later = (state: JsonObject): boolean =>
    Date.parse(String(state['StartedAt'])) >= (Number(event['time']) + 1) * 1000
  const { status, body } = await inspectOnceStopped(inspect, later)
  const state = stateOf(body)
  return status >= 400 || !hasExited(state) || later(state) ? undefined : Number(state['ExitCode'] ?? 0)
}
