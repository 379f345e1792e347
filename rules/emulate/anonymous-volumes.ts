import { isObject, type JsonObject, listOf, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { hostConfigOf } from './merged-host-config.ts'
import { idOf } from './recreate-body.ts'

/** Volumes from this size on are not compared and count as holding data. */
const COMPARED_BYTES = 16 << 20
const BLOCK = 512

/** Volumes that create made for this container, by mount point. */
export function anonymousVolumes(container: JsonObject): Map<string, string> {
  const host = hostConfigOf(container)
  const named = new Set([
    ...listOf(host['Binds']).map((bind) => stringOf(bind).split(':')[0] ?? ''),
    ...listOf(host['Mounts']).map((mount) => (isObject(mount) ? stringOf(mount['Source']) : '')),
  ])
  const volumes = new Map<string, string>()
  for (const mount of listOf(container['Mounts'])) {
    if (!isObject(mount) || mount['Type'] !== 'volume') continue
    const name = stringOf(mount['Name'])
    if (/^[0-9a-f]{64}$/.test(name) && !named.has(name)) volumes.set(stringOf(mount['Destination']), name)
  }
  return volumes
}

export interface Compared {
  /** Mount points whose old volume holds data that the new one lacks. */
  readonly holdsData: readonly string[]
  /** Old volumes that hold no data of their own. */
  readonly superfluous: readonly string[]
}

/**
 * Compares the volumes of a container that was never started with those of its replacement: content from their common image
 * is equal. A volume whose place another mount of the start's HostConfig takes is kept, as by engines up to 25, unless it
 * is empty.
 */
export async function compareVolumes(
  context: EmulationContext,
  before: JsonObject,
  made: JsonObject,
): Promise<Compared> {
  const holdsData: string[] = []
  const superfluous: string[] = []
  const now = new Map(
    listOf(made['Mounts'])
      .filter(isObject)
      .map((mount) => [mount['Destination'], mount['Name']]),
  )
  const fresh = anonymousVolumes(made)
  for (const [path, volume] of anonymousVolumes(before)) {
    if (now.get(path) === volume) continue // kept, by VolumesFrom
    const old = await content(context, idOf(before), path)
    if (fresh.has(path)) {
      const same = old !== undefined && (await content(context, idOf(made), path)) === old
      if (!same) holdsData.push(path)
      else superfluous.push(volume)
    } else if (old === EMPTY) superfluous.push(volume)
  }
  return { holdsData, superfluous }
}

const EMPTY = ''

/** The content of a directory as comparable text: its tar without its own entry and without the times of directories. */
async function content(context: EmulationContext, id: string, path: string): Promise<string | undefined> {
  const query = new URLSearchParams({ path })
  const { status, start } = await context.engineStart('GET', `/containers/${id}/archive?${query}`, {
    bytes: COMPARED_BYTES,
  })
  return status === 200 && start.length < COMPARED_BYTES ? entriesOf(start) : undefined
}

/** ustar (POSIX.1-1988): a header block, the size at 124 in octal, the time at 136, the checksum at 148, the type at 156. */
function entriesOf(tar: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0, first = true; at + BLOCK <= tar.length; first = false) {
    const header = Buffer.from(tar.subarray(at, at + BLOCK))
    if (header.every((byte) => byte === 0)) break
    const size = Number.parseInt(header.toString('latin1', 124, 136).replaceAll('\0', '').trim() || '0', 8)
    const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const isFolder = header.toString('latin1', 156, 157) === '5'
    if (isFolder) header.fill(0, 136, 156)
    if (!first || !isFolder) parts.push(header, tar.subarray(at + BLOCK, end))
    at = end
  }
  return Buffer.concat(parts).toString('latin1')
}
