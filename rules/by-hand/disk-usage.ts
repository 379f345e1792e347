import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'

/** The kinds of a disk usage answer: what a call asks for, the flat list up to 1.51, the usage from 1.52 on (recorded on 29). */
export const KINDS = [
  { type: 'image', list: 'Images', usage: 'ImageUsage' },
  { type: 'container', list: 'Containers', usage: 'ContainerUsage' },
  { type: 'volume', list: 'Volumes', usage: 'VolumeUsage' },
  { type: 'build-cache', list: 'BuildCache', usage: 'BuildCacheUsage' },
] as const

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

/** Engines up to 28.5 have null for what was not asked for, those from 29.0 on leave it out at every version. */
export function nullUnlessAsked(body: JsonValue | undefined, query: URLSearchParams): void {
  const types = query.getAll('type')
  if (!isObject(body) || types.length === 0) return
  if (!types.includes('image')) body['LayersSize'] ??= 0
  for (const { type, list, usage } of KINDS) if (!types.includes(type) && body[usage] === undefined) body[list] ??= null
}

/** A disk usage answer as up to 1.51: flat lists, where the engine left them out made of the items of each kind. */
export function legacyUsage(body: JsonValue | undefined, query: URLSearchParams): void {
  nullUnlessAsked(body, query)
  if (!isObject(body)) return
  body['LayersSize'] ??= asObject(body['ImageUsage'])['TotalSize'] ?? 0
  for (const { list, usage } of KINDS) {
    if (body[list] === undefined) body[list] = asObject(body[usage])['Items'] ?? []
    delete body[usage]
  }
}

/** The flat lists beside the usage of each kind, whose items then are left out. */
export function flatLists(body: JsonValue | undefined): void {
  if (!isObject(body)) return
  for (const { list, usage } of KINDS) {
    const told = body[usage]
    if (!isObject(told)) continue
    body[list] ??= told['Items'] ?? []
    delete told['Items']
    if (list === 'Images') body['LayersSize'] ??= told['TotalSize'] ?? 0
  }
}
