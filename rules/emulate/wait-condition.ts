import { Refusal } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Engines refuse an unknown condition from 23.0 on; before, it meant `not-running`. */
const CHECKED_FROM = apiVersion(42)

/**
 * An older engine waits until the container does not run. That is `not-running`, and `next-exit` of one that runs. The
 * rest cannot be had: such a client starts the container only when the head of the answer has come, and an older engine
 * sends its head when the container has stopped.
 */
export async function waitUntilStopped(
  { query }: RequestMessage,
  context: EmulationContext,
  change: BoundChange,
): Promise<void> {
  const condition = query.get('condition') ?? ''
  query.delete('condition')
  switch (condition) {
    case '':
    case 'not-running':
      return
    case 'next-exit':
      if (await runs(context)) return
      break
    case 'removed':
      break
    default:
      if (context.client >= CHECKED_FROM) throw new Refusal('validation', `invalid condition: "${condition}"`)
      return
  }
  const what = `query parameter condition=${condition}`
  context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
}

async function runs(context: EmulationContext): Promise<boolean> {
  const name = encodeURIComponent(context.call.params['name'] ?? '')
  const { status, body } = await context.engineCall('GET', `/containers/${name}/json`)
  if (status >= 400) return true // the engine says itself what is wrong with it
  const state = isObject(body) ? body['State'] : undefined
  return isObject(state) && state['Running'] === true
}
