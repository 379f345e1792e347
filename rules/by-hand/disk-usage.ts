import { isObject, type JsonValue, objectOf } from '../../src/api/json/json.ts'

/** The kinds of disk usage: query value, flat list up to 1.51, usage from 1.52 on (recorded on 29). */
export const KINDS = [
  { type: 'image', list: 'Images', usage: 'ImageUsage' },
  { type: 'container', list: 'Containers', usage: 'ContainerUsage' },
  { type: 'volume', list: 'Volumes', usage: 'VolumeUsage' },
  { type: 'build-cache', list: 'BuildCache', usage: 'BuildCacheUsage' },
] as const

/** Engines up to 28.5 send null for kinds that were not requested; those from 29.0 on omit them at every version. */
export function nullUnlessAsked(body: JsonValue | undefined, query: URLSearchParams): void {
  const types = query.getAll('type')
  if (!isObject(body) || types.length === 0) return
  if (!types.includes('image')) body['LayersSize'] ??= 0
  for (const { type, list, usage } of KINDS) if (!types.includes(type) && body[usage] === undefined) body[list] ??= null
}

/** Disk usage as up to 1.51: flat lists, made from the items of each kind if the engine omits them. */
export function legacyUsage(body: JsonValue | undefined, query: URLSearchParams): void {
  nullUnlessAsked(body, query)
  if (!isObject(body)) return
  body['LayersSize'] ??= objectOf(body['ImageUsage'])['TotalSize'] ?? 0
  for (const { list, usage } of KINDS) {
    if (body[list] === undefined) body[list] = objectOf(body[usage])['Items'] ?? []
    delete body[usage]
  }
}

/** Adds the flat lists, and removes the items from the usage of each kind. */
export function flatLists(body: JsonValue | undefined): void {
  if (!isObject(body)) return
  for (const { list, usage } of KINDS) {
    const kind = body[usage]
    if (!isObject(kind)) continue
    body[list] ??= kind['Items'] ?? []
    delete kind['Items']
    if (list === 'Images') body['LayersSize'] ??= kind['TotalSize'] ?? 0
  }
}
