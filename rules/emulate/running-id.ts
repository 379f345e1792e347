import { isObject } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** Engines 1.11 and 1.12 named the container by its whole id, up to 1.10 not at all. */
const NAMED_FROM = apiVersion(23)

/** Engines from 28 on name the container that runs as it was asked for. */
export async function nameById(message: ResponseMessage, context: EmulationContext): Promise<void> {
  if (context.client < NAMED_FROM || !/^cannot remove container ".*": container is running/.test(message.text ?? ''))
    return
  const asked = context.call.params['name'] ?? ''
  const { body } = await context.engineCall('GET', `/containers/${encodeURIComponent(asked)}/json`)
  if (isObject(body)) message.text = `You cannot remove a running container ${body['Id']}. `
}
