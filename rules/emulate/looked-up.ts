import { isObject, type JsonObject, type JsonValue, listOf } from '../../src/api/json/json.ts'
import type { EmulationContext, EngineAnswer, ResponseMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/** Inspects the container that the path of the call names. */
export const inspectCalled = (context: EmulationContext): Promise<EngineAnswer> =>
  context.engineCall('GET', `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}/json`)

/** The objects of a list; undefined if the engine does not show it. */
export async function listed(
  context: EmulationContext,
  path: string,
  query?: Record<string, string>,
): Promise<JsonObject[] | undefined> {
  const { body } = await context.engineCall('GET', path, query === undefined ? {} : { query })
  return Array.isArray(body) ? body.filter(isObject) : undefined
}

const allContainers = (context: EmulationContext): Promise<JsonObject[] | undefined> =>
  listed(context, '/containers/json', { all: '1' })

/** The name of every container by its id, without the slash. Names such as `/web/db` are links and do not count. */
export async function containerNames(context: EmulationContext): Promise<JsonObject> {
  const names: JsonObject = {}
  for (const { Id: id, Names: all } of (await allContainers(context)) ?? []) {
    const own = Array.isArray(all) && all.find((name) => typeof name === 'string' && /^\/[^/]+$/.test(name))
    if (typeof own === 'string') names[String(id)] = own.slice(1)
  }
  return names
}

/** Engines up to 1.9 only count all containers; the Status texts of their list give the counts by state. */
export async function countContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || body['ContainersRunning'] !== undefined) return
  const texts = (await allContainers(context))?.map(({ Status: status }) => String(status))
  if (texts === undefined) return
  const paused = texts.filter((text) => text.includes('(Paused)')).length
  const up = texts.filter((text) => text.startsWith('Up')).length
  body['ContainersRunning'] = up - paused
  body['ContainersPaused'] = paused
  body['ContainersStopped'] = texts.length - up
}

/** SizeRw and SizeRootFs of inspect?size=1: engines up to 1.8 show them in the list only, which omits a size of 0. */
export async function sizesFromList({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || !isTrue(context.call.query.get('size'))) return
  const items = await listed(context, '/containers/json', { all: '1', size: '1' })
  const item = items?.find(({ Id: id }) => id === body['Id'])
  for (const member of ['SizeRw', 'SizeRootFs']) body[member] = item?.[member] ?? 0
}

const IMAGES = 'images'

/** All images of the engine, requested once per call. */
export async function allImages(context: EmulationContext): Promise<JsonObject[]> {
  const { memory } = context
  if (!memory.has(IMAGES)) memory.set(IMAGES, (await listed(context, '/images/json', { all: '1' })) ?? [])
  const images = memory.get(IMAGES)
  return Array.isArray(images) ? images.filter(isObject) : []
}

/** Finds an image by name, by name and tag, or by id prefix. */
export function imageNamed(images: readonly JsonObject[], name: string): JsonObject | undefined {
  const tagged = name.lastIndexOf(':') > name.lastIndexOf('/') ? name : `${name}:latest`
  const byTag = images.find(({ RepoTags: tags }) => Array.isArray(tags) && tags.includes(tagged))
  if (byTag !== undefined || !/^[0-9a-f]{4,64}$/.test(name)) return byTag
  return images.find(({ Id: id }) => typeof id === 'string' && id.startsWith(name))
}

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

const isName = (name: JsonValue): boolean => typeof name === 'string' && !name.startsWith('<none>')

/** RepoTags and RepoDigests of an inspected image: engines up to 1.8 show them in the list only. */
export async function tagsOfImage({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || Object.hasOwn(body, 'RepoTags')) return
  const images = await listed(context, '/images/json', { all: '1', digests: '1' })
  const own = images?.filter(({ Id: id }) => id === body['Id']) ?? []
  for (const member of ['RepoTags', 'RepoDigests'])
    body[member] = [...new Set(own.flatMap((image) => listOf(image[member]).filter(isName)))]
}

/**
 * Counts the containers of each image, stopped ones too (daemon/images/images.go:Images @v28.3.0), where they are not
 * counted (-1). The Docker CLI from 29 on marks images in use by it.
 */
export async function countUses({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const images = Array.isArray(body) ? body.filter(isObject).filter(({ Containers: count }) => count === -1) : []
  if (images.length === 0 || context.allows?.('GET', '/containers/json?all=1') === false) return
  const used = (await allContainers(context))?.map(({ ImageID: id }) => id)
  if (used === undefined || used.includes(undefined)) return // engines up to 1.8 do not show it
  const counts = Map.groupBy(used, (id) => id)
  for (const image of images) image['Containers'] = counts.get(image['Id'])?.length ?? 0
}

/** Engines up to 1.7 do not show the storage driver of an image: all images have that of the engine. */
export async function fillGraphDriver({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || Object.hasOwn(body, 'GraphDriver')) return
  const info = await context.engineInfo()
  body['GraphDriver'] = { Name: info?.['Driver'] ?? '', Data: null }
}
