import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

function named(image: JsonObject, member: string): JsonValue[] {
  const names = image[member]
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && !name.startsWith('<none>')) : []
}

/** RepoTags and RepoDigests of an inspected image: engines up to 1.8 show them in the list only. */
export async function tagsOfImage({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || Object.hasOwn(body, 'RepoTags')) return
  const { body: list } = await context.engineCall('GET', '/images/json', { query: { all: '1', digests: '1' } })
  const own = Array.isArray(list) ? list.filter(isObject).filter(({ Id: id }) => id === body['Id']) : []
  for (const member of ['RepoTags', 'RepoDigests'])
    body[member] = [...new Set(own.flatMap((image) => named(image, member)))]
}
