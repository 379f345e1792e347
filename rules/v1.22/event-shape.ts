import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { readFilters, takeFilter } from '../../src/translate/ops/calls/filter-values.ts'

const OF_IMAGES = new Set(['delete', 'import', 'pull', 'push', 'tag', 'untag'])

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** Records of images have no `from`; a container knows none of their actions but in a name of its own. */
export const typeOf = ({ status, from }: JsonObject): string =>
  OF_IMAGES.has(text(status)) && text(from) === '' ? 'image' : 'container'

/** Where the names of containers are kept that were known when the stream began. */
export const KNOWN_NAMES = '1.22/events-shape'

/** Labels, exit codes and sizes of terminals are not in the older record. */
export function actorOf(record: JsonObject, { memory }: StepContext): JsonObject {
  const id = text(record['id'])
  if (record['Type'] === 'image') return { ID: id, Attributes: { name: id } }
  const names = memory.get(KNOWN_NAMES)
  const name = isObject(names) ? text(names[id]) : ''
  return { ID: id, Attributes: { image: text(record['from']), ...(name === '' ? {} : { name }) } }
}

/** The record as engines up to 1.9 wrote it: the id of a tag was the tag, and what is empty was left out. */
export function asBefore110({ body }: ResponseMessage): void {
  if (!isObject(body)) return
  const actor = body['Actor']
  const attributes = isObject(actor) ? actor['Attributes'] : undefined
  if (body['Type'] === 'image' && body['status'] === 'tag' && isObject(attributes)) {
    body['id'] = attributes['name'] ?? body['id']
  }
  for (const member of ['id', 'from']) if (body[member] === '') delete body[member]
}

/** Volumes, networks and the daemon itself had no events; of containers, `update` is new. */
export function isNewRecord(record: JsonValue | undefined): boolean {
  if (!isObject(record)) return false
  const { status, Type: type } = record
  return text(status) === '' || status === 'update' || (type !== undefined && type !== 'container' && type !== 'image')
}

/** Filters that 1.10 brought; before, they were ignored. */
const NEW_FILTERS = ['type', 'volume', 'network']
const WANTED_TYPES = '1.22/events-filters'

export function withoutNewFilters({ query }: RequestMessage): void {
  for (const key of NEW_FILTERS) takeFilter(query, key)
}

/** An older engine would send everything: what was asked for is kept here. It has no events of volumes and networks. */
export function keepTypes(message: RequestMessage, { memory }: StepContext): void {
  const filters = readFilters(message.query)
  const impossible = ['volume', 'network'].some((key) => (filters.get(key) ?? []).length > 0)
  const types = filters.get('type') ?? []
  if (impossible) memory.set(WANTED_TYPES, [])
  else if (types.length > 0) memory.set(WANTED_TYPES, types)
  withoutNewFilters(message)
}

export function dropOtherTypes({ body }: ResponseMessage, { memory }: StepContext): 'drop' | undefined {
  const wanted = memory.get(WANTED_TYPES)
  return Array.isArray(wanted) && isObject(body) && !wanted.includes(body['Type'] ?? '') ? 'drop' : undefined
}
