import { isObject, type JsonObject, type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'

const OF_IMAGES = new Set(['delete', 'import', 'pull', 'push', 'tag', 'untag'])

/** Records of images have no `from`, and their actions are not those of containers. */
export const typeOf = ({ status, from }: JsonObject): string =>
  OF_IMAGES.has(stringOf(status)) && stringOf(from) === '' ? 'image' : 'container'

/** Memory key of the container names that were known when the stream began. */
export const KNOWN_NAMES = '1.22/events-shape'

/** The older record lacks labels, exit codes and sizes of terminals. */
export function actorOf(record: JsonObject, { memory }: StepContext): JsonObject {
  const id = stringOf(record['id'])
  if (record['Type'] === 'image') return { ID: id, Attributes: { name: id } }
  const names = memory.get(KNOWN_NAMES)
  const name = isObject(names) ? stringOf(names[id]) : ''
  return { ID: id, Attributes: { image: stringOf(record['from']), ...(name === '' ? {} : { name }) } }
}

/** Up to engine 1.9 the id of a tag event is the tag. */
export const idBefore110 = (_id: JsonValue, { Type: type, status, Actor: actor }: JsonObject): JsonValue | undefined =>
  type === 'image' && status === 'tag' ? memberAt(actor, 'Attributes', 'name') : undefined

/** Volumes, networks and the daemon had no events; containers had no `update`. */
export function isNewRecord(record: JsonValue | undefined): boolean {
  if (!isObject(record)) return false
  const { status, Type: type } = record
  return (
    stringOf(status) === '' || status === 'update' || (type !== undefined && type !== 'container' && type !== 'image')
  )
}
