import { fromInteger, integer, isObject, type JsonObject, type JsonValue, objectOf } from '../../src/api/json/json.ts'
import { isTrue } from '../../src/translate/ops.ts'
import { KINDS } from '../by-hand/disk-usage.ts'

/** The disk usage of one kind of object; engines omit members that are 0. */
interface Usage {
  active: bigint
  size: bigint
  reclaimable: bigint
}

type Count = (items: readonly JsonObject[], usage: JsonObject) => Usage

const RUNNING: ReadonlySet<JsonValue | undefined> = new Set(['running', 'paused', 'restarting'])

const sum = (items: readonly JsonObject[], size: (item: JsonObject) => bigint): bigint =>
  items.reduce((total, item) => total + size(item), 0n)
const sizeOf = (value: JsonValue | undefined): bigint => integer(value) ?? 0n
const positive = (size: bigint): bigint => (size > 0n ? size : 0n)
const usageData = (volume: JsonObject): JsonObject => objectOf(volume['UsageData'])

const images: Count = (items, usage) => ({
  active: BigInt(items.filter((image) => sizeOf(image['Containers']) > 0n).length),
  size: sizeOf(usage['LayersSize']),
  reclaimable: sum(items, (image) => {
    const [size, shared] = [sizeOf(image['Size']), sizeOf(image['SharedSize'])]
    // -1 means "not counted": such an image can be in use.
    return image['Containers'] === 0 && size !== -1n && shared !== -1n ? size - shared : 0n
  }),
})

/** Counts objects of which some are in use; the size of the others is reclaimable. */
const inUse =
  (used: (item: JsonObject) => boolean, size: (item: JsonObject) => bigint): Count =>
  (items) => {
    const active = items.filter(used)
    const all = sum(items, size)
    return { active: BigInt(active.length), size: all, reclaimable: all - sum(active, size) }
  }

const COUNTS: Readonly<Record<(typeof KINDS)[number]['type'], Count>> = {
  image: images,
  container: inUse(
    ({ State: state }) => RUNNING.has(state),
    ({ SizeRw: size }) => sizeOf(size),
  ),
  volume: inUse(
    (volume) => sizeOf(usageData(volume)['RefCount']) > 0n,
    (volume) => positive(sizeOf(usageData(volume)['Size'])),
  ),
  'build-cache': inUse(
    ({ InUse: used }) => used === true,
    (record) => (record['Shared'] === true ? 0n : sizeOf(record['Size'])),
  ),
}

function counted(count: Count, list: readonly JsonValue[], usage: JsonObject): JsonObject {
  const { active, size, reclaimable } = count(list.filter(isObject), usage)
  const members: [string, JsonValue][] = [
    ['ActiveCount', fromInteger(active)],
    ['Items', [...list]],
    ['Reclaimable', fromInteger(reclaimable)],
    ['TotalCount', list.length],
    ['TotalSize', fromInteger(size)],
  ]
  return Object.fromEntries(members.filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)))
}

/**
 * Turns flat lists into the answer of engines from 1.52 on: a usage with items for each requested kind, and the flat lists
 * beside it unless the client requested it verbose. Counts as the CLI does below 1.52 (docker/cli
 * vendor/github.com/moby/moby/client/system_disk_usage.go).
 */
export function usageByKind(usage: JsonValue | undefined, query: URLSearchParams): void {
  if (!isObject(usage)) return
  const verbose = isTrue(query.get('verbose'))
  const types = query.getAll('type')
  for (const { list, usage: name, type } of KINDS) {
    const items = Array.isArray(usage[list]) ? usage[list] : [] // null if 20.10 has no build cache
    const asked = types.length === 0 || types.includes(type)
    if (asked) usage[name] = counted(COUNTS[type], items, usage)
    if (asked && !verbose) usage[list] = items
    else delete usage[list]
  }
  if (verbose || !isObject(usage['ImageUsage'])) delete usage['LayersSize']
}
