import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** An image of an engine up to 1.7 does not name its storage driver: all of them have the engine's. */
export async function fillGraphDriver({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || Object.hasOwn(body, 'GraphDriver')) return
  const info = await context.engineInfo()
  body['GraphDriver'] = { Name: info?.['Driver'] ?? '', Data: null }
}
