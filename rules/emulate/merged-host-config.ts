import { essence, integer, type JsonObject, type JsonValue, listOf, objectOf } from '../../src/api/json/json.ts'
import { isUserDefined, sharesContainer } from '../by-hand/endpoints.ts'
import { askedFor, mountAsBind, OMITTED_WHEN_EMPTY } from './host-config-difference.ts'

/** Values that mean "unset" beside Go's zero values. Clients up to 1.23 send them by default. */
const LEAVES_OPEN: Readonly<Record<string, JsonValue>> = { NetworkMode: 'default', MemorySwappiness: -1, PidsLimit: -1 }

/** Members that engines derive from Privileged and that clients below 1.24 cannot set. */
const OF_PRIVILEGE = ['MaskedPaths', 'ReadonlyPaths', 'CgroupnsMode']

const says = (body: JsonObject, member: string): boolean =>
  askedFor(body, member) !== undefined && body[member] !== LEAVES_OPEN[member]

/**
 * The HostConfig for a start with `body`: members that the body sets, all others as created. Real engines replace the whole
 * HostConfig instead (recordings 1.6.2 … 20.10.24, start-hc and inspect-start-hc: Binds, CpuShares, NetworkMode and
 * ExtraHosts of the body, all else at its default; 20.10 even loses MaskedPaths, which leaves the container less confined).
 * On engine 1.6 Memory, MemorySwap, CpuShares and Cpuset of a create were in Config, which a start could not change; later
 * engines have them in HostConfig. Keeping them preserves what such clients relied on, and a container never starts with
 * less protection than requested.
 */
export function mergedHostConfig(body: JsonObject, current: JsonObject, podman = false): JsonObject {
  const merged: JsonObject = { ...current }
  for (const member of new Set([...Object.keys(current), ...OMITTED_WHEN_EMPTY]))
    if (says(body, member)) merged[member] = body[member]
  // Engines keep what the lenders of the create lent.
  if (says(body, 'VolumesFrom'))
    merged['VolumesFrom'] = [...new Set([...listOf(current['VolumesFrom']), ...listOf(body['VolumesFrom'])])]
  mergeBinds(merged, body, current)
  mergeSwap(merged, body, current)
  mergePrivilege(merged, body, current)
  for (const member of withoutEffect(body, podman))
    if (withoutEffect(current, podman).includes(member)) merged[member] = current[member]
    else delete merged[member]
  return merged
}

/**
 * Members without effect in the network of another container, of the host or of the user's own, if the HostConfig names that:
 * engines ignore them at a start, and refuse or drop them at a create. Podman keeps no ports in the network of the host,
 * where Docker does.
 */
function withoutEffect(host: JsonObject, podman: boolean): readonly string[] {
  if (sharesContainer(host)) return ['Dns', 'ExtraHosts', 'Links', 'PortBindings', 'PublishAllPorts']
  const { NetworkMode: mode } = host
  if (mode === 'host') return ['Links', ...(podman ? ['PortBindings', 'PublishAllPorts'] : [])]
  return !podman && isUserDefined(mode) ? ['Links'] : []
}

/** The members that a start sets although they have no effect there: they are left out and reported. */
export const askedInVain = (body: JsonObject, podman: boolean): string[] =>
  withoutEffect(body, podman).filter((member) => essence(body[member]) !== undefined)

/** The target of a bind: `source:/target[:mode]`. */
const targetOf = (bind: JsonValue): string => (typeof bind === 'string' ? (bind.split(':')[1] ?? '') : '')

/**
 * Binds can be in `Binds` and in `Mounts` (1.44/read-only-recursive). Those of the create stay unless the body binds the
 * same target: real engines mounted them at create, and kept them (recordings inspect-start-hc).
 */
function mergeBinds(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  const mounts = listOf(body['Mounts'])
  const bound = [...listOf(body['Binds']), ...mounts.flatMap((mount) => mountAsBind(mount) ?? [])]
  if (bound.length === 0) return
  const targets = new Set(bound.map(targetOf))
  const stays = (bind: JsonValue): boolean => !targets.has(targetOf(bind))
  const hasOthers = mounts.some((mount) => mountAsBind(mount) === undefined)
  const kept = listOf(current['Mounts']).filter((mount) => {
    const bind = mountAsBind(mount)
    return bind === undefined ? !hasOthers : stays(bind)
  })
  merged['Binds'] = [...listOf(current['Binds']).filter(stays), ...listOf(body['Binds'])]
  if (kept.length + mounts.length > 0) merged['Mounts'] = [...kept, ...mounts]
  else delete merged['Mounts']
}

/** Drops a swap limit that the engine derived from the old memory limit, or that the new one exceeds, if the body sets another. */
function mergeSwap(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  if (!says(body, 'Memory') || says(body, 'MemorySwap')) return
  const swap = integer(current['MemorySwap']) ?? 0n
  const isDerived = swap === (integer(current['Memory']) ?? 0n) * 2n
  if (isDerived || (swap > 0n && swap < (integer(body['Memory']) ?? 0n))) delete merged['MemorySwap']
}

/** Unlike other zero values, `Privileged: false` counts: more protection can always be requested. */
function mergePrivilege(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  const { Privileged: wanted } = body
  const has = current['Privileged'] === true
  if (typeof wanted !== 'boolean' || wanted === has) return
  merged['Privileged'] = wanted
  for (const member of OF_PRIVILEGE) delete merged[member]
  if (!wanted) merged['SecurityOpt'] = listOf(merged['SecurityOpt']).filter((option) => option !== 'label=disable')
}

/** Whether the container shares a namespace that already has a host name. */
export const lendsHostname = (host: JsonObject): boolean =>
  host['NetworkMode'] === 'host' || sharesContainer(host) || host['UTSMode'] === 'host'

export const hostConfigOf = (container: JsonObject): JsonObject => objectOf(container['HostConfig'])
