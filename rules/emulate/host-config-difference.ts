import { isDeepStrictEqual } from 'node:util'
import {
  essence,
  fromInteger,
  integer,
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import { words } from '../../src/config/text.ts'
import { bindOf, tmpfsAsAsked, withOptions } from '../by-hand/mount-options.ts'

/** Members of a created container that POST update can change (container_routes.go:postContainerUpdate). */
const UPDATABLE: ReadonlySet<string> = new Set(
  words(`
  BlkioWeight CpuShares CpuPeriod CpuQuota CpusetCpus CpusetMems Memory MemorySwap MemoryReservation
  KernelMemory RestartPolicy PidsLimit NanoCpus
`),
)

/** Clients below 1.24 cannot set these: engines fill them in, and the size of the terminal is not kept. */
const NEVER_COMPARED: ReadonlySet<string> = new Set(
  words('MaskedPaths ReadonlyPaths CgroupnsMode ConsoleSize ContainerIDFile'),
)

/** Engines fill these in if create omits them: a body that omits them too asks for no other value. */
const FILLED_BY_ENGINES: ReadonlySet<string> = new Set(words('LogConfig ShmSize Runtime Isolation PidsLimit Ulimits'))

/** Inspect always shows the other members; one that is neither here nor in inspect is unknown to the engine, which ignores it. */
export const OMITTED_WHEN_EMPTY = words('Tmpfs StorageOpt Sysctls Runtime Mounts Init KernelMemory Annotations')

export interface Difference {
  readonly member: string
  /** The requested value in the engine's form; undefined for the default. */
  readonly wanted: JsonValue | undefined
  readonly updatable: boolean
}

/** The value of a member, or undefined if it is unset. A tmpfs with empty options is set. */
export const askedFor = (host: JsonObject, member: string): JsonValue | undefined =>
  member === 'Tmpfs' && !isUnset(host[member]) ? tmpfsAsAsked(host[member]) : essence(host[member])

type Normal = (value: JsonValue | undefined, host: JsonObject) => JsonValue | undefined

const unless =
  (...defaults: readonly JsonValue[]): Normal =>
  (value) =>
    value === undefined || defaults.includes(value) ? undefined : value

const strings = (value: JsonValue | undefined, spell: (text: string) => string): JsonValue | undefined =>
  Array.isArray(value) ? value.map((element) => (typeof element === 'string' ? spell(element) : element)).sort() : value

/** Default options of a bind, which Podman's inspect shows. */
const BIND_DEFAULTS: ReadonlySet<string> = new Set(['', 'rw', 'rbind', 'rprivate'])

/** The bind that a mount is equivalent to; 1.44/read-only-recursive makes such mounts from read-only binds of a create. */
export function mountAsBind(mount: JsonValue): string | undefined {
  if (!isObject(mount) || mount['Type'] !== 'bind') return undefined
  const { CreateMountpoint: _made, ReadOnlyNonRecursive: _flat, ...options } = objectOf(mount['BindOptions'])
  return bindOf({ ...mount, BindOptions: options })
}

/** Binds of both forms, with their options sorted. */
const binds: Normal = (value, host) => {
  const mounted = listOf(host['Mounts']).flatMap((mount) => mountAsBind(mount) ?? [])
  const all = [...listOf(value).map(String), ...mounted].map((bind) =>
    withOptions(bind, (options) => options.filter((word) => !BIND_DEFAULTS.has(word)).sort()),
  )
  return essence(all.sort())
}

const otherMounts: Normal = (value) => essence(listOf(value).filter((mount) => mountAsBind(mount) === undefined))

/** With or without `CAP_`, in any case (caps.NormalizeLegacyCapabilities, 20.10 on). */
const capabilities: Normal = (value) => strings(value, (name) => name.toUpperCase().replace(/^CAP_/, ''))

/**
 * Inspect shows `/db:/web/alias` for `db:alias`, and `db` is `db:db` (daemon/inspect.go). Of links with the same alias the
 * first counts (daemon.registerLink); fig sends some twice.
 */
const links: Normal = (value) => {
  const byAlias = new Map<string, string>()
  for (const link of listOf(value).toReversed()) {
    const [name = '', path = name] = stringOf(link).split(':')
    const alias = path.slice(path.lastIndexOf('/') + 1)
    byAlias.set(alias, `${name.replace(/^\//, '')}:${alias}`)
  }
  return essence([...byAlias.values()].sort())
}

/**
 * Privileged containers and those in the host's namespaces get `label=disable` (daemon/create.go:generateSecurityOpt), and on
 * Podman `unmask=all`.
 */
const securityOptions: Normal = (value, host) => {
  const implied = host['Privileged'] === true || host['IpcMode'] === 'host' || host['PidMode'] === 'host'
  if (!Array.isArray(value) || !implied) return value
  return essence(value.filter((option) => option !== 'label=disable' && option !== 'unmask=all'))
}

/** If unset, it is twice the memory (daemon_unix.go:adaptContainerSettings). */
const swap: Normal = (value, host) => {
  const memory = integer(host['Memory'])
  return value === undefined && memory !== undefined && memory > 0n ? fromInteger(memory * 2n) : value
}

/** `80` is `80/tcp`. */
const ports: Normal = (value) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([port, bindings]) => [port.includes('/') ? port : `${port}/tcp`, bindings]),
      )
    : value

const restart: Normal = (value) => (isObject(value) && value['Name'] === 'no' ? undefined : value)

const NORMAL: Readonly<Record<string, Normal>> = {
  Binds: binds,
  Mounts: otherMounts,
  NetworkMode: unless('default', 'bridge'),
  IpcMode: unless('private', 'shareable'),
  PortBindings: ports,
  MemorySwap: swap,
  MemorySwappiness: unless(-1),
  PidsLimit: unless(-1),
  RestartPolicy: restart,
  SecurityOpt: securityOptions,
  CapAdd: capabilities,
  CapDrop: capabilities,
  Links: links,
}

const normal = (member: string, host: JsonObject): JsonValue | undefined => {
  const value = askedFor(host, member)
  return NORMAL[member]?.(value, host) ?? (NORMAL[member] === undefined ? value : undefined)
}

/** Podman also shows limits that it sets itself. */
const limitsAsked = (current: JsonValue | undefined, wanted: JsonValue | undefined): JsonValue | undefined => {
  const names = new Set(listOf(wanted).map((limit) => memberAt(limit, 'Name')))
  return essence(listOf(current).filter((limit) => names.has(memberAt(limit, 'Name'))))
}

/** An unset host port matches any: Podman chooses the port at create, and shows it as if it had been requested. */
function withOpenPorts(current: JsonValue | undefined, wanted: JsonValue | undefined, all: boolean) {
  if (!isObject(current)) return current
  const ports = Object.entries(current).flatMap(([port, bindings]): [string, JsonValue][] => {
    const asked = listOf(memberAt(wanted, port))
    if (all && asked.length === 0) return []
    const shown = listOf(bindings).map((binding, i) => {
      const { HostPort = '' } = objectOf(asked[i])
      const open = i < asked.length && (HostPort === '' || HostPort === '0')
      return isObject(binding) && open ? { ...binding, HostPort } : binding
    })
    return [[port, shown]]
  })
  return essence(Object.fromEntries(ports))
}

/** Members in which a container with the settings of `body`, and defaults for all others, would differ from `current`. */
export function differences(body: JsonObject, current: JsonObject, podman = false): Difference[] {
  const found: Difference[] = []
  for (const member of new Set([...Object.keys(current), ...OMITTED_WHEN_EMPTY])) {
    if (NEVER_COMPARED.has(member)) continue
    const wanted = normal(member, body)
    if (wanted === undefined && FILLED_BY_ENGINES.has(member)) continue
    const shown = normal(member, current)
    const met =
      member === 'PortBindings'
        ? withOpenPorts(shown, wanted, podman && body['PublishAllPorts'] === true)
        : podman && member === 'Ulimits'
          ? limitsAsked(shown, wanted)
          : shown
    if (isDeepStrictEqual(wanted, met)) continue
    found.push({ member, wanted, updatable: UPDATABLE.has(member) && updateValue(member, wanted) !== undefined })
  }
  return found
}

/** The body for POST update. Engines hold a new Memory against the old MemorySwap unless both are given (daemon/container/update). */
export function updateBody(found: readonly Difference[], merged: JsonObject): JsonObject {
  const body = Object.fromEntries(found.map(({ member, wanted }) => [member, updateValue(member, wanted)]))
  const swap = normal('MemorySwap', merged)
  return body['Memory'] === undefined || swap === undefined ? body : { ...body, MemorySwap: swap }
}

/** The value for POST update; undefined if update cannot express it: its zero values mean "unchanged". */
function updateValue(member: string, wanted: JsonValue | undefined): JsonValue | undefined {
  return member === 'RestartPolicy' && wanted === undefined ? { Name: 'no', MaximumRetryCount: 0 } : wanted
}
