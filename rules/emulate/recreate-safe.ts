import { posix } from 'node:path'
import { isPodman } from '../../src/api/engine-facts.ts'
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import { tarEntries } from '../../src/api/tar.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { idOf, isFullId, nameOf } from '../../src/translate/replaced/label.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'
import { called } from './as-kept.ts'
import { hostConfigOf } from './merged-host-config.ts'
import { type Modes, networkLost } from './recreate-body.ts'

/** Why replacing a container would lose something; undefined if it is safe. Changes nothing. */
export async function whyUnsafe(
  context: EmulationContext,
  container: JsonObject,
  modes: Modes,
): Promise<string | undefined> {
  const state = objectOf(container['State'])
  if (state['Status'] !== 'created' || state['StartedAt'] !== ZERO_TIME) return 'it has been started before'
  const id = idOf(container)
  const { replacedContainers } = context
  if (replacedContainers?.isWatched({ id: replacedContainers.toClient(id), name: nameOf(container) }))
    return 'a client is attached to it, waits for it or follows it, and would be cut off'
  const network = networkOfMode(hostConfigOf(container)['NetworkMode'])
  if (isPodman(context.engine) && network !== undefined && network !== 'bridge')
    return `Podman does not show whether it was given an address in ${network}`
  const lost = networkLost(container, modes, isPodman(context.engine))
  if (lost !== undefined) return lost
  const { status, body: changes } = await context.engineCall('GET', `/containers/${id}/changes`)
  if (status !== 200) return 'the engine does not say whether its filesystem is untouched'
  const touched = listOf(changes)
    .map((change) => String(memberAt(change, 'Path')))
    .filter((path) => !isMadeByEngine(path, container))
  if (touched.length > 0)
    return `files were put into it (${touched.slice(0, 3).join(', ')}${touched.length > 3 ? ' …' : ''})`
  return whoDepends(context, container)
}

/** On every engine a create makes the working directory, and reading the archive the mount points of volumes. */
function isMadeByEngine(path: string, container: JsonObject): boolean {
  const points = listOf(container['Mounts'])
    .filter(isObject)
    .map((mount) => String(mount['Destination']))
  points.push(posix.resolve('/', stringOf(memberAt(container, 'Config', 'WorkingDir'))))
  return points.some((point) => point === path || point.startsWith(`${path}/`))
}

/** Finds a container that depends on this one: a link is a further name of its target, a shared namespace names the id. */
async function whoDepends(context: EmulationContext, container: JsonObject): Promise<string | undefined> {
  const volumes = new Set((await anonymousVolumes(context, container)).values())
  const { status, body } = await context.engineCall('GET', '/containers/json', { query: { all: '1' } })
  if (status !== 200) return 'the engine does not list the containers that may depend on it'
  for (const other of listOf(body).filter(isObject)) {
    const names = listOf(other['Names']).map(String)
    const linked = names.find((name) => name.lastIndexOf('/') > 0)
    if (other['Id'] === container['Id']) {
      if (linked !== undefined) return `another container is linked to it (${linked})`
      continue
    }
    if (objectOf(other['HostConfig'])['NetworkMode'] === `container:${idOf(container)}`)
      return `${names[0]} shares its network`
    if (listOf(other['Mounts']).some((mount) => volumes.has(stringOf(memberAt(mount, 'Name')))))
      return `${names[0]} has one of its volumes`
    // Lists do not show these. A container that was started cannot share them with one that was not.
    if (other['State'] === 'created' && (await sharesNamespace(context, idOf(other), container)))
      return `${names[0]} shares one of its namespaces`
  }
  return undefined
}

async function sharesNamespace(context: EmulationContext, other: string, container: JsonObject): Promise<boolean> {
  const host = hostConfigOf((await called(context, other)) ?? {})
  const lenders = [idOf(container), nameOf(container)].map((said) => `container:${said}`)
  return ['IpcMode', 'PidMode', 'NetworkMode'].some((member) => lenders.includes(stringOf(host[member])))
}

/** Volumes from this size on are not compared. */
const COMPARED_BYTES = 16 << 20

/** Volumes that create made for this container, by mount point. */
async function anonymousVolumes(context: EmulationContext, container: JsonObject): Promise<Map<string, string>> {
  const host = hostConfigOf(container)
  const named = new Set([
    ...listOf(host['Binds']).map((bind) => stringOf(bind).split(':')[0] ?? ''),
    ...listOf(host['Mounts']).map((mount) => (isObject(mount) ? stringOf(mount['Source']) : '')),
    ...(await lentMounts(context, host)).map(({ Name: name }) => stringOf(name)),
  ])
  const volumes = new Map<string, string>()
  for (const mount of listOf(container['Mounts'])) {
    if (!isObject(mount) || mount['Type'] !== 'volume') continue
    const name = stringOf(mount['Name'])
    if (isFullId(name) && !named.has(name)) volumes.set(stringOf(mount['Destination']), name)
  }
  return volumes
}

/** Mounts of the containers in `VolumesFrom` (`name[:mode]`), as they are lent. */
async function lentMounts(context: EmulationContext, { VolumesFrom: lenders }: JsonObject): Promise<JsonObject[]> {
  const mounts: JsonObject[] = []
  // Whatever their number, two calls to the engine for each name at most.
  const distinct = listOf(lenders).map((lender) => {
    const [name = '', mode] = stringOf(lender).replace(/^\//, '').split(':', 2)
    return mode === 'ro' ? `${name}:ro` : name
  })
  for (const lender of new Set(distinct)) {
    const [name = '', mode] = lender.split(':')
    for (const mount of listOf((await called(context, name))?.['Mounts']))
      if (isObject(mount)) mounts.push({ ...mount, RW: mount['RW'] !== false && mode !== 'ro' })
  }
  return mounts
}

/** The HostConfig without the binds that Podman shows for volumes of its lenders and `more`, or in their place. */
export async function withoutLent(context: EmulationContext, host: JsonObject, more?: JsonValue): Promise<JsonObject> {
  const lenders = [...listOf(host['VolumesFrom']), ...listOf(more)]
  if (!isPodman(context.engine) || lenders.length === 0) return host
  const lent = await lentMounts(context, { VolumesFrom: lenders })
  const isLent = (bind: JsonValue): boolean => {
    const [source = '', target, mode = ''] = stringOf(bind).split(':')
    const writable = !mode.split(',').includes('ro')
    return lent.some(
      ({ Destination, Name, RW }) => Destination === target && (Name === source ? writable === RW : isFullId(source)),
    )
  }
  return { ...host, Binds: listOf(host['Binds']).filter((bind) => !isLent(bind)) }
}

export interface Compared {
  /** Mount points whose old volume holds data that the new one lacks. */
  readonly holdsData: readonly string[]
  /** Mount points whose volumes the engine does not show, or that are too large. */
  readonly unclear: readonly string[]
  /** Old volumes that hold no data of their own. */
  readonly superfluous: readonly string[]
}

/**
 * Compares the volumes of a container that was never started with those of its replacement: content from their common image
 * is equal. A volume whose place another mount of the start's HostConfig takes is kept, as by engines up to 25, unless it
 * is empty.
 */
export async function compareVolumes(context: EmulationContext, own: JsonObject, made: JsonObject): Promise<Compared> {
  const holdsData: string[] = []
  const unclear: string[] = []
  const superfluous: string[] = []
  const now = new Map(
    listOf(made['Mounts'])
      .filter(isObject)
      .map((mount) => [mount['Destination'], mount['Name']]),
  )
  const fresh = await anonymousVolumes(context, made)
  for (const [path, volume] of await anonymousVolumes(context, own)) {
    if (now.get(path) === volume) continue // of a container that the engine does not show
    const old = await content(context, idOf(own), path)
    if (fresh.has(path)) {
      const other = old === undefined ? undefined : await content(context, idOf(made), path)
      if (other === undefined) unclear.push(path)
      else if (other !== old) holdsData.push(path)
      else superfluous.push(volume)
    } else if (old === '') superfluous.push(volume)
  }
  return { holdsData, unclear, superfluous }
}

/** The content of a directory as comparable text: its tar without its own entry and without the times of directories. */
async function content(context: EmulationContext, id: string, path: string): Promise<string | undefined> {
  const query = new URLSearchParams({ path })
  const { status, start } = await context.engineStart('GET', `/containers/${id}/archive?${query}`, {
    bytes: COMPARED_BYTES,
  })
  return status === 200 && start.length < COMPARED_BYTES ? entriesOf(start) : undefined
}

function entriesOf(tar: Buffer): string {
  const parts = [...tarEntries(tar)].flatMap(({ header, type, content }, i) => {
    if (type !== '5') return [header, content]
    return i === 0 ? [] : [header.fill(0, 136, 156), content] // without the time and the checksum
  })
  return Buffer.concat(parts).toString('latin1')
}
