import { isObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** Fills `Containers` of each network in a list from its inspect; empty if the network is gone by then. */
export async function fillContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!Array.isArray(body)) return
  for (const network of body.filter(isObject)) {
    const id = network['Id']
    if (typeof id !== 'string') continue
    const { status, body: whole } = await context.engineCall('GET', `/networks/${encodeURIComponent(id)}`)
    const containers = status < 400 ? memberAt(whole, 'Containers') : undefined
    network['Containers'] = objectOf(containers)
  }
}
