import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

const NOT_COUNTED = -1

/**
 * Counts the containers of each image, stopped ones too, from their list (daemon/images/images.go:Images @v28.3.0). The
 * Docker CLI from 29 on marks images in use by it.
 */
export async function countUses({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const images = Array.isArray(body) ? body.filter(isObject).filter(isNotCounted) : []
  if (images.length === 0 || context.allows?.('GET', '/containers/json?all=1') === false) return
  const { body: list } = await context.engineCall('GET', '/containers/json', { query: { all: '1' } })
  if (!Array.isArray(list)) return
  const used = list.filter(isObject).map(({ ImageID: id }) => id)
  if (used.includes(undefined)) return // engines up to 1.8 do not show it
  const counts = Map.groupBy(used, (id) => id)
  for (const image of images) image['Containers'] = counts.get(image['Id'])?.length ?? 0
}

const isNotCounted = ({ Containers: count }: JsonObject): boolean => count === NOT_COUNTED
