import { essence, integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import { mountAsBind, OMITTED_WHEN_EMPTY } from './host-config-difference.ts'

/** Words for "not set" beside Go's zero values. Clients up to 1.23 send them unasked. */
const LEAVES_OPEN: Readonly<Record<string, JsonValue>> = { NetworkMode: 'default', MemorySwappiness: -1, PidsLimit: -1 }

/** What engines derive from whether a container is privileged, and clients below 1.24 cannot say. */
const OF_PRIVILEGE = ['MaskedPaths', 'ReadonlyPaths', 'CgroupnsMode']

const says = (body: JsonObject, member: string): boolean =>
  essence(body[member]) !== undefined && body[member] !== LEAVES_OPEN[member]

const list = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

/**
 * The HostConfig that a start with `body` asks for: a member that the body sets is the body's, one that it leaves open
 * stays as create gave it. Real engines replaced the whole instead (recordings 1.6.2 … 20.10.24, start-hc and
 * inspect-start-hc: Binds, CpuShares, NetworkMode and ExtraHosts of the body, all else back to its default; 20.10 even
 * loses MaskedPaths, so that the container is less confined). On 1.6 Memory, MemorySwap, CpuShares and Cpuset of the
 * create lived in Config, where no start could take them away; on every later engine they are in HostConfig. So what is
 * kept here is what such a client relied on, and a container never starts with less protection than was asked for.
 */
export function mergedHostConfig(body: JsonObject, current: JsonObject): JsonObject {
  const merged: JsonObject = { ...current }
  for (const member of new Set([...Object.keys(current), ...OMITTED_WHEN_EMPTY]))
    if (says(body, member)) merged[member] = body[member]
  mergeBinds(merged, body, current)
  mergeSwap(merged, body, current)
  mergePrivilege(merged, body, current)
  return merged
}

/** The target of a bind: `source:/target[:mode]`. */
const targetOf = (bind: JsonValue | undefined): string => (typeof bind === 'string' ? (bind.split(':')[1] ?? '') : '')

/**
 * Binds stand in either of two members (1.44/read-only-recursive). Those of the create stay unless the body binds the
 * same target: real engines had mounted them at the create, and kept them (recordings inspect-start-hc).
 */
function mergeBinds(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  const mounts = list(body['Mounts'])
  const targets = new Set([...list(body['Binds']), ...mounts.map((mount) => mountAsBind(mount) ?? null)].map(targetOf))
  const stays = (bind: JsonValue | undefined): boolean => !targets.has(targetOf(bind))
  const bound = says(body, 'Binds') || mounts.some((mount) => mountAsBind(mount) !== undefined)
  if (!bound) return
  const others = (all: JsonValue[]): JsonValue[] => all.filter((mount) => mountAsBind(mount) === undefined)
  const bindsKept = list(current['Mounts']).filter((mount) => {
    const bind = mountAsBind(mount)
    return bind !== undefined && stays(bind)
  })
  const rest = others(mounts).length > 0 ? [] : others(list(current['Mounts']))
  const kept = [...rest, ...bindsKept, ...mounts]
  merged['Binds'] = [...list(current['Binds']).filter(stays), ...list(body['Binds'])]
  if (kept.length > 0) merged['Mounts'] = kept
  else delete merged['Mounts']
}

/** A limit of swap that the engine derived from the old limit of memory does not go with a new one. */
function mergeSwap(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  if (!says(body, 'Memory') || says(body, 'MemorySwap')) return
  const memory = integer(current['Memory']) ?? 0n
  if ((integer(current['MemorySwap']) ?? 0n) === memory * 2n) delete merged['MemorySwap']
}

/** `false` takes privileges away where zero values say nothing otherwise: the way to more protection is open. */
function mergePrivilege(merged: JsonObject, body: JsonObject, current: JsonObject): void {
  const { Privileged: wanted } = body
  const has = current['Privileged'] === true
  if (typeof wanted !== 'boolean' || wanted === has) return
  merged['Privileged'] = wanted
  for (const member of OF_PRIVILEGE) delete merged[member]
  if (!wanted) merged['SecurityOpt'] = list(merged['SecurityOpt']).filter((option) => option !== 'label=disable')
}

/** Whether the HostConfig puts the container into a network namespace that has a name of its own. */
export const lendsHostname = (host: JsonObject): boolean => {
  const mode = String(host['NetworkMode'] ?? '')
  return mode === 'host' || mode.startsWith('container:') || host['UTSMode'] === 'host'
}

export const hostConfigOf = (container: JsonObject): JsonObject =>
  isObject(container['HostConfig']) ? container['HostConfig'] : {}
