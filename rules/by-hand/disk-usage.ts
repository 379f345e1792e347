import { isObject, type JsonValue } from '../../src/api/json/json.ts'

/** The flat lists of a disk usage answer, and the kind that each comes from (recorded on 29). */
const KINDS = {
  Images: 'ImageUsage',
  Containers: 'ContainerUsage',
  Volumes: 'VolumeUsage',
  BuildCache: 'BuildCacheUsage',
} as const

/** The types that a call may ask for. */
const TYPES: Readonly<Record<string, keyof typeof KINDS>> = {
  image: 'Images',
  container: 'Containers',
  volume: 'Volumes',
  'build-cache': 'BuildCache',
}

/** Engines up to 28.5 have null for what was not asked for, those from 29.0 on leave it out at every version. */
export function nullUnlessAsked(usage: JsonValue | undefined, query: URLSearchParams): void {
  const types = query.getAll('type')
  if (!isObject(usage) || types.length === 0) return
  if (!types.includes('image')) usage['LayersSize'] ??= 0
  for (const [type, list] of Object.entries(TYPES))
    if (!types.includes(type) && usage[KINDS[list]] === undefined) usage[list] ??= null
}

/** A disk usage answer as up to 1.51: flat lists, where the engine left them out made of the items of each kind. */
export function legacyUsage(usage: JsonValue | undefined, query: URLSearchParams): void {
  nullUnlessAsked(usage, query)
  if (!isObject(usage)) return
  const images = usage[KINDS.Images]
  usage['LayersSize'] ??= (isObject(images) ? images['TotalSize'] : undefined) ?? 0
  for (const [list, kind] of Object.entries(KINDS)) {
    const told = usage[kind]
    if (usage[list] === undefined) usage[list] = (isObject(told) ? told['Items'] : undefined) ?? []
    delete usage[kind]
  }
}

/** The flat lists beside the usage of each kind, whose items then are left out. */
export function flatLists(usage: JsonValue | undefined): void {
  if (!isObject(usage)) return
  for (const [list, kind] of Object.entries(KINDS)) {
    const told = usage[kind]
    if (!isObject(told)) continue
    usage[list] ??= told['Items'] ?? []
    delete told['Items']
    if (list === 'Images') usage['LayersSize'] ??= told['TotalSize'] ?? 0
  }
}
