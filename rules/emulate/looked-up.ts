import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type {
  EmulationContext,
  EngineAnswer,
  RequestMessage,
  ResponseMessage,
  StepContext,
} from '../../src/translate/message.ts'
import { limitOf } from '../../src/translate/ops/calls/applied-filters.ts'
import { readFilters, takeFilter } from '../../src/translate/ops/calls/filter-values.ts'
import { bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { inspectPath } from '../../src/translate/ops.ts'
import { tagged } from '../by-hand/references.ts'

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
  const byTag = images.find(({ RepoTags: tags }) => Array.isArray(tags) && tags.includes(tagged(name)))
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

/** Engines up to 1.8 ignore the filter. A limit would count containers that it removes, so it is applied afterwards. */
export function ancestorsDown({ query }: RequestMessage, context: StepContext): void {
  if (takeFilter(query, 'ancestor') === undefined || limitOf(query, context) === undefined) return
  query.delete('limit')
  query.set('all', '1') // a limit also shows stopped containers
}

/** Whether an image is `wanted` or built on it; engines up to 1.9 know the parent of every image. */
function descends(images: readonly JsonObject[], from: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  const parents = new Map(images.map(({ Id: id, ParentId: parent }) => [id, parent]))
  let id = from
  for (let steps = 0; steps <= images.length && typeof id === 'string' && id !== ''; steps++) {
    if (id === wanted) return true
    id = parents.get(id)
  }
  return false
}

/** Keeps the containers whose image is, or descends from, a requested one. */
export async function keepDescendants(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const { body } = message
  const asked = readFilters(context.call.query).get('ancestor') ?? []
  if (!Array.isArray(body) || asked.length === 0) return
  const images = listOf(await bodyOf('/images/json?all=1', context)).filter(isObject)
  const wanted = asked.flatMap((name) => imageNamed(images, name.replace(/^sha256:/, ''))?.['Id'] ?? [])
  const kept = body.filter((item) => {
    const own = imageNamed(images, memberAt(item, 'Image'))?.['Id']
    return wanted.some((image) => descends(images, own, image))
  })
  message.body = kept.slice(0, limitOf(context.call.query, context))
}
