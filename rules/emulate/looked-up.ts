import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, EngineAnswer } from '../../src/translate/message.ts'
import { inspectPath } from '../../src/translate/ops.ts'

/** Inspects the container that the path of the call names. */
export const inspectCalled = (context: EmulationContext): Promise<EngineAnswer> =>
  context.engineCall('GET', inspectPath(context))

/** The name of every listed container by its id, without the slash. Names such as `/web/db` are links and do not count. */
export function namesById(containers: JsonValue | undefined): JsonObject {
  const names: JsonObject = {}
  for (const { Id: id, Names: all } of listOf(containers).filter(isObject)) {
    const own = listOf(all).find((name) => typeof name === 'string' && /^\/[^/]+$/.test(name))
    if (typeof own === 'string') names[String(id)] = own.slice(1)
  }
  return names
}

/** The Status texts of the list: engines up to 1.9 only count all containers. */
export function countsByState(containers: JsonValue | undefined): JsonObject {
  if (!Array.isArray(containers)) return {}
  const texts = containers.map((container) => String(memberAt(container, 'Status')))
  const paused = texts.filter((text) => text.includes('(Paused)')).length
  const up = texts.filter((text) => text.startsWith('Up')).length
  return { ContainersRunning: up - paused, ContainersPaused: paused, ContainersStopped: texts.length - up }
}

/** The list omits a size of 0. */
export function sizesOf({ Id: wanted }: JsonObject, containers: JsonValue | undefined): JsonObject {
  const item = objectOf(listOf(containers).find((container) => memberAt(container, 'Id') === wanted))
  return { SizeRw: item['SizeRw'] ?? 0, SizeRootFs: item['SizeRootFs'] ?? 0 }
}

/** Finds an image by name, by name and tag, or by id prefix. */
export function imageNamed(images: readonly JsonObject[], name: JsonValue | undefined): JsonObject | undefined {
  if (typeof name !== 'string') return undefined
  const tagged = name.lastIndexOf(':') > name.lastIndexOf('/') ? name : `${name}:latest`
  const byTag = images.find(({ RepoTags: tags }) => Array.isArray(tags) && tags.includes(tagged))
  if (byTag !== undefined || !/^[0-9a-f]{4,64}$/.test(name)) return byTag
  return images.find(({ Id: id }) => typeof id === 'string' && id.startsWith(name))
}

const isName = (name: JsonValue): boolean => typeof name === 'string' && !name.startsWith('<none>')

/** The names of an image in the list, which has an entry for each. */
export function tagsOf({ Id: wanted }: JsonObject, images: JsonValue | undefined): JsonObject {
  const own = listOf(images).filter((image) => memberAt(image, 'Id') === wanted)
  const all = (member: string): JsonValue => [
    ...new Set(own.flatMap((image) => listOf(memberAt(image, member)).filter(isName))),
  ]
  return { RepoTags: all('RepoTags'), RepoDigests: all('RepoDigests') }
}
