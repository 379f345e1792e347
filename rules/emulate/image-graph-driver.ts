import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** Engines up to 1.7 do not show the storage driver of an image: all images have that of the engine. */
export async function fillGraphDriver({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || Object.hasOwn(body, 'GraphDriver')) return
  const info = await context.engineInfo()
  body['GraphDriver'] = { Name: info?.['Driver'] ?? '', Data: null }
}
