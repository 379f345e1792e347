import { ProxyError } from '../../src/api/errors.ts'
import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Engines up to 1.9 attach to a paused container and show nothing; 1.10 refuses it (daemon/attach.go @v1.10.3). */
export async function refusePaused(message: RequestMessage, context: EmulationContext): Promise<void> {
  const inspect = await context.engineCall('GET', message.path.replace(/\/attach$/, '/json'))
  const state = memberAt(inspect.body, 'State')
  if (!isObject(state) || state['Paused'] !== true) return
  const { name } = message.params
  throw new ProxyError('conflict', `Container ${name} is paused. Unpause the container before attach`)
}
