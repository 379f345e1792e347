import { ProxyError } from '../../src/api/errors.ts'
import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Older engines allow two networks of the same name, so the bridge checks first. */
export async function refuseDuplicate({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  const name = memberAt(body, 'Name')
  if (typeof name !== 'string' || name === '') return
  const { status, body: networks } = await context.engineCall('GET', '/networks')
  if (status >= 400 || !Array.isArray(networks)) return
  if (networks.some((network) => isObject(network) && network['Name'] === name))
    throw new ProxyError('conflict', `network with name ${name} already exists`)
}
