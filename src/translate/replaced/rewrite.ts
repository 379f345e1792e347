import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import type { ReplacedContainerIds } from '../message.ts'
import { REPLACES } from './label.ts'

/**
 * A response with the ids that its client knows, in every value or key that is an id, and without the bridge's label.
 * Paths that contain an id (LogPath) stay the engine's.
 */
export function showKnownIds(value: JsonValue | undefined, ids: ReplacedContainerIds): JsonValue | undefined {
  if (typeof value === 'string') return knownText(value, ids)
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

function knownElements(list: JsonValue[], ids: ReplacedContainerIds): JsonValue[] {
  for (const [i, element] of list.entries()) {
    const known = showKnownIds(element, ids) ?? null
    // In its networks, the container also has its old id as an alias.
    if (typeof known === 'string' && known !== element && list.includes(known)) {
      return knownElements(
        list.filter((_one, at) => at !== i),
        ids,
      )
    }
    list[i] = known
  }
  return list
}

function knownText(text: string, ids: ReplacedContainerIds): string {
  if (text.length === 64 || text.length === 12) return ids.toClient(text)
  // `id:ro` of VolumesFrom.
  if (text[64] === ':' && /^[0-9a-f]{64}:/.test(text)) return ids.toClient(text.slice(0, 64)) + text.slice(64)
  // NetworkMode, IpcMode and PidMode, in which engines replace the name by the id.
  return text.startsWith('container:') ? `container:${ids.toClient(text.slice('container:'.length))}` : text
}

/** Replaces the ids in an error text. */
export const textWithKnownIds = (text: string, ids: ReplacedContainerIds): string =>
  text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, (id) => ids.toClient(id))

/** `id:rest`, as in VolumesFrom and Links, with the engine's id. */
export function referenceForEngine(reference: JsonValue, ids: ReplacedContainerIds): JsonValue {
  if (typeof reference !== 'string') return reference
  const [said = '', ...rest] = reference.split(':')
  return [ids.toEngine(said), ...rest].join(':')
}

const NAMESPACES = ['NetworkMode', 'IpcMode', 'PidMode'] as const
const LISTS = ['VolumesFrom', 'Links'] as const

/** Maps the ids of a HostConfig to the engine's. */
export function hostConfigForEngine(host: JsonValue | undefined, ids: ReplacedContainerIds): void {
  if (!isObject(host)) return
  for (const member of NAMESPACES) {
    const mode = host[member]
    if (typeof mode === 'string' && mode.startsWith('container:'))
      host[member] = `container:${ids.toEngine(mode.slice('container:'.length))}`
  }
  for (const member of LISTS) {
    const list = host[member]
    if (Array.isArray(list)) host[member] = list.map((one) => referenceForEngine(one, ids))
  }
}
