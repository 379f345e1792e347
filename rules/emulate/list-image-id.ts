import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { allImages, imageNamed } from '../by-hand/images.ts'

/** Finds the ImageID of listed containers by Image: a name, or an id if another image has the name by now. */
export async function imageIds({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const items = Array.isArray(body) ? body.filter(isObject) : []
  const without = items.filter((item) => !Object.hasOwn(item, 'ImageID'))
  if (without.length === 0) return
  const images = await allImages(context)
  for (const item of without) {
    const image = typeof item['Image'] === 'string' ? imageNamed(images, item['Image']) : undefined
    item['ImageID'] = image?.['Id'] ?? ''
  }
}
