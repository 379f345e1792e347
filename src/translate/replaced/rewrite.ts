import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import type { ReplacedContainerIds } from '../message.ts'
import { REPLACES } from './label.ts'

/**
 * A response with the ids that its client knows, in every value or key that is an id, and without the bridge's label.
 * Paths that contain an id (LogPath) stay the engine's.
 */
export function showKnownIds(value: JsonValue | undefined, ids: ReplacedContainerIds): JsonValue | undefined {
  if (typeof value === 'string') return mapReference(value, ids.toClient)
  if (Array.isArray(value)) return knownElements(value, ids)
  if (!isObject(value)) return value
  for (const key of Object.keys(value)) showMember(value, key, ids)
  return value
}

function showMember(object: JsonObject, key: string, ids: ReplacedContainerIds): void {
  if (key === REPLACES) {
    delete object[key]
    return
  }
  const member = object[key]
  const shown = showKnownIds(member, ids)
  const known = key.length === 64 ? ids.toClient(key) : key
  if (known !== key) delete object[key]
  if (known !== key || shown !== member) object[known] = shown
}

function knownElements(list: readonly JsonValue[], ids: ReplacedContainerIds): JsonValue[] {
  const shown = list.map((element) => showKnownIds(element, ids) ?? null)
  if (shown.every((known, i) => known === list[i])) return shown
  // In its networks, the container also has its old id as an alias.
  const before = new Set(list)
  return shown.filter((known, i) => known === list[i] || !before.has(known))
}

/** An id, `container:id` as in NetworkMode, or `id:rest` as in VolumesFrom and Links, with its id mapped. */
export function mapReference(text: string, map: (id: string) => string): string {
  const [, prefix = '', id = '', rest = ''] = /^(container:)?([^:]*)(:.*)?$/s.exec(text) ?? []
  return prefix + map(id) + rest
}

/** Replaces the ids in an error text. */
export const textWithKnownIds = (text: string, ids: ReplacedContainerIds): string =>
  text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, (id) => ids.toClient(id))
