import { isObject, type JsonObject, type JsonValue, listOf, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { readFilters, takeFilter } from '../../src/translate/ops/calls/filter-values.ts'
import { bodyOf } from '../../src/translate/ops/calls/looked-up.ts'
import { imageNamed } from './looked-up.ts'

/** The `limit` of a list; 0 and negative numbers mean no limit. */
function limitOf(query: URLSearchParams): number | undefined {
  const limit = Number(query.get('limit') ?? 0)
  return Number.isInteger(limit) && limit > 0 ? limit : undefined
}

/** Engines up to 1.8 ignore the filter. A limit would count containers that it removes, so it is applied afterwards. */
export function ancestorsDown({ query }: RequestMessage): void {
  if (takeFilter(query, 'ancestor') === undefined || limitOf(query) === undefined) return
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
  message.body = kept.slice(0, limitOf(context.call.query))
}
