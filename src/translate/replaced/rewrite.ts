import { isObject, type JsonObject, type JsonValue } from '../../api/json/json.ts'
import type { ReplacedContainerIds } from '../message.ts'
import { REPLACES } from './label.ts'

/**
 * An answer with the ids that its client knows, wherever one stands as a whole value or as a key, and without our
 * label. Paths that hold an id (LogPath) are the engine's and stay.
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
    // The id of old is an alias of its own in the networks that the container joined.
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
  // NetworkMode, IpcMode and PidMode, in which engines write the id for the name.
  return text.startsWith('container:') ? `container:${ids.toClient(text.slice('container:'.length))}` : text
}

/** The ids in the text of an error. */
export const textWithKnownIds = (text: string, ids: ReplacedContainerIds): string =>
  text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, (id) => ids.toClient(id))

/** `id:rest`, as VolumesFrom and Links have it, with the engine's id. */
export function referenceForEngine(reference: JsonValue, ids: ReplacedContainerIds): JsonValue {
  if (typeof reference !== 'string') return reference
  const [said = '', ...rest] = reference.split(':')
  return [ids.toEngine(said), ...rest].join(':')
}

const NAMESPACES = ['NetworkMode', 'IpcMode', 'PidMode'] as const
const LISTS = ['VolumesFrom', 'Links'] as const

/** A HostConfig on its way to the engine. */
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
