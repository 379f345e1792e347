import { isDeepStrictEqual } from 'node:util'
import { essence, fromInteger, integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import { words } from '../../src/config/text.ts'

/** Members of a created container that POST update can change (container_routes.go:postContainerUpdate). */
const UPDATABLE: ReadonlySet<string> = new Set(
  words(`
  BlkioWeight CpuShares CpuPeriod CpuQuota CpusetCpus CpusetMems Memory MemorySwap MemoryReservation
  KernelMemory RestartPolicy PidsLimit NanoCpus
`),
)

/** Not a client's to say below 1.24: engines fill them in by themselves, the terminal's size is no property at all. */
const NEVER_COMPARED: ReadonlySet<string> = new Set(
  words('MaskedPaths ReadonlyPaths CgroupnsMode ConsoleSize ContainerIDFile'),
)

/** What engines fill in where a create leaves it open: a body that leaves it open too asks for no other value. */
const FILLED_BY_ENGINES: ReadonlySet<string> = new Set(words('LogConfig ShmSize Runtime Isolation PidsLimit Ulimits'))

/** Always shown by inspect; a name that is neither here nor in inspect is unknown to the engine, which ignores it. */
export const OMITTED_WHEN_EMPTY = words('Tmpfs StorageOpt Sysctls Runtime Mounts Init KernelMemory Annotations')

export interface Difference {
  readonly member: string
  /** What the body asks for, in the engine's form; undefined: the default. */
  readonly wanted: JsonValue | undefined
  readonly updatable: boolean
}

type Normal = (value: JsonValue | undefined, host: JsonObject) => JsonValue | undefined

const unless =
  (...defaults: readonly JsonValue[]): Normal =>
  (value) =>
    value === undefined || defaults.includes(value) ? undefined : value

const strings = (value: JsonValue | undefined, spell: (text: string) => string): JsonValue | undefined =>
  Array.isArray(value) ? value.map((element) => (typeof element === 'string' ? spell(element) : element)).sort() : value

/** What a bind is when nothing else is said. Podman's inspect says it all the same. */
const UNSAID: ReadonlySet<string> = new Set(['', 'rw', 'rbind', 'rprivate'])

/** A bind with its mode words in one order. */
function bindOf(source: string, target: string, words: readonly string[]): string {
  const said = words.filter((word) => !UNSAID.has(word)).sort()
  return [source, target, ...(said.length === 0 ? [] : [said.join(',')])].join(':')
}

/** A mount that is only another form of a bind, as 1.44/read-only-recursive makes of a read-only one in a create. */
export function mountAsBind(mount: JsonValue): string | undefined {
  if (!isObject(mount) || mount['Type'] !== 'bind' || typeof mount['Source'] !== 'string') return undefined
  const options = isObject(mount['BindOptions']) ? mount['BindOptions'] : {}
  const { CreateMountpoint: _made, ReadOnlyNonRecursive: _flat, Propagation, ...rest } = options
  if (essence(rest) !== undefined) return undefined
  return bindOf(mount['Source'], String(mount['Target']), [
    mount['ReadOnly'] === true ? 'ro' : '',
    typeof Propagation === 'string' ? Propagation : '',
  ])
}

const elements = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** Binds in either form, in any order. */
const binds: Normal = (value, host) => {
  const written = elements(value).map((bind) => {
    const [source = '', target, ...mode] = String(bind).split(':')
    return target === undefined ? source : bindOf(source, target, mode.join(':').split(','))
  })
  const mounted = elements(host['Mounts'])
    .map(mountAsBind)
    .filter((bind) => bind !== undefined)
  return essence([...written, ...mounted].sort())
}

const otherMounts: Normal = (value) => essence(elements(value).filter((mount) => mountAsBind(mount) === undefined))

/** `CAP_` in front or not, in any case (caps.NormalizeLegacyCapabilities, 20.10 on). */
const capabilities: Normal = (value) => strings(value, (name) => name.toUpperCase().replace(/^CAP_/, ''))

/** Inspect shows `/db:/web/alias` for `db:alias`, and `db` is `db:db` (daemon/inspect.go). */
const links: Normal = (value) =>
  strings(value, (link) => {
    const [name = '', alias = name] = link.split(':')
    return `${name.replace(/^\//, '')}:${alias.slice(alias.lastIndexOf('/') + 1)}`
  })

/** Privileged containers and those in the host's namespaces get `label=disable` (daemon/create.go:generateSecurityOpt). */
const securityOptions: Normal = (value, host) => {
  const implied = host['Privileged'] === true || host['IpcMode'] === 'host' || host['PidMode'] === 'host'
  if (!Array.isArray(value) || !implied) return value
  return essence(value.filter((option) => option !== 'label=disable'))
}

/** Left open, it is twice the memory (daemon_unix.go:adaptContainerSettings). */
const swap: Normal = (value, host) => {
  const memory = integer(host['Memory'])
  return value === undefined && memory !== undefined && memory > 0n ? fromInteger(memory * 2n) : value
}

const restart: Normal = (value) => (isObject(value) && value['Name'] === 'no' ? undefined : value)

const NORMAL: Readonly<Record<string, Normal>> = {
  Binds: binds,
  Mounts: otherMounts,
  NetworkMode: unless('default', 'bridge'),
  IpcMode: unless('private', 'shareable'),
  PidMode: unless('private'), // Podman's word for the default, as in UTSMode
  UTSMode: unless('private'),
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
  const value = essence(host[member])
  return NORMAL[member]?.(value, host) ?? (NORMAL[member] === undefined ? value : undefined)
}

/** A host port left open is met by any: Podman gives the number out at the create, and shows it as if it had been asked for. */
function withOpenPorts(current: JsonValue | undefined, wanted: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(current) || !isObject(wanted)) return current
  const ports = Object.entries(current).map(([port, bindings]): [string, JsonValue] => {
    const asked = elements(wanted[port])
    const shown = elements(bindings).map((binding, i) => {
      const open = isObject(asked[i]) && (asked[i]['HostPort'] ?? '0') === '0'
      return isObject(binding) && open ? { ...binding, ...openPort(asked[i]) } : binding
    })
    return [port, shown]
  })
  return essence(Object.fromEntries(ports))
}

const openPort = (asked: JsonValue | undefined): JsonObject => ({
  HostPort: (isObject(asked) ? asked['HostPort'] : undefined) ?? '',
})

/** Where a container with all of `body`, and defaults for what it leaves open, would differ from `current`. */
export function differences(body: JsonObject, current: JsonObject): Difference[] {
  const found: Difference[] = []
  for (const member of new Set([...Object.keys(current), ...OMITTED_WHEN_EMPTY])) {
    if (NEVER_COMPARED.has(member)) continue
    const wanted = normal(member, body)
    if (wanted === undefined && FILLED_BY_ENGINES.has(member)) continue
    const shown = normal(member, current)
    if (isDeepStrictEqual(wanted, member === 'PortBindings' ? withOpenPorts(shown, wanted) : shown)) continue
    found.push({ member, wanted, updatable: UPDATABLE.has(member) && updateValue(member, wanted) !== undefined })
  }
  return found
}

/** The value for POST update; undefined where it cannot say it: zero values there mean "unchanged". */
export function updateValue(member: string, wanted: JsonValue | undefined): JsonValue | undefined {
  return member === 'RestartPolicy' && wanted === undefined ? { Name: 'no', MaximumRetryCount: 0 } : wanted
}
