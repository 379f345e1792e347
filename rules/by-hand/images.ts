import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { EmulationContext } from '../../src/translate/message.ts'

const NOTE = 'images'

/** All images of the engine, requested once per call. */
export async function allImages(context: EmulationContext): Promise<JsonObject[]> {
  const { memory } = context
  let images = memory.get(NOTE)
  if (images === undefined) {
    const answer = await context.engineCall('GET', '/images/json', { query: { all: '1' } })
    images = answer.body ?? []
    memory.set(NOTE, images)
  }
  return Array.isArray(images) ? images.filter(isObject) : []
}

/** Finds an image by name, by name and tag, or by id prefix. */
export function imageNamed(images: readonly JsonObject[], name: string): JsonObject | undefined {
  const tagged = name.lastIndexOf(':') > name.lastIndexOf('/') ? name : `${name}:latest`
  const byTag = images.find(({ RepoTags: tags }) => Array.isArray(tags) && tags.includes(tagged))
  if (byTag !== undefined || !/^[0-9a-f]{4,64}$/.test(name)) return byTag
  return images.find(({ Id: id }) => typeof id === 'string' && id.startsWith(name))
}
