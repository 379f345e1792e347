import type { ApiVersion } from '../../src/api/version.ts'
import { Names, putAsGo } from '../../src/translate/json/names.ts'
import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../src/translate/json.ts'

/**
 * The members of HostConfig by the version that brought them, up to 1.45, the last whose engines read them at the top
 * level of a create body (api/types/container/hostconfig.go @v26.1.5 and before). None is a member of Config.
 */
const MEMBERS: readonly (readonly [since: number, names: readonly string[]])[] = [
  [18, ['Binds', 'ContainerIDFile', 'LxcConf', 'Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'Privileged']],
  [18, ['PortBindings', 'Links', 'PublishAllPorts', 'Dns', 'DnsSearch', 'ExtraHosts', 'VolumesFrom', 'Devices']],
  [18, ['NetworkMode', 'IpcMode', 'PidMode', 'CapAdd', 'CapDrop', 'RestartPolicy', 'SecurityOpt', 'ReadonlyRootfs']],
  [18, ['Ulimits', 'LogConfig', 'CgroupParent']],
  [19, ['CpuPeriod', 'CpusetMems', 'CpuQuota', 'BlkioWeight', 'OomKillDisable', 'UTSMode', 'VolumeDriver']],
  [20, ['MemorySwappiness', 'GroupAdd', 'ConsoleSize']],
  [21, ['MemoryReservation', 'KernelMemory', 'DnsOptions']],
  [22, ['OomScoreAdj', 'Tmpfs', 'ShmSize', 'Isolation', 'BlkioWeightDevice', 'BlkioDeviceReadBps']],
  [22, ['BlkioDeviceWriteBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps', 'PidsLimit']],
  [23, ['AutoRemove', 'Cgroup', 'StorageOpt', 'UsernsMode', 'Sysctls', 'CpuCount', 'CpuPercent']],
  [24, ['Runtime', 'IOMaximumIOps', 'IOMaximumBandwidth']],
  [25, ['Mounts', 'Init', 'NanoCpus', 'CpuRealtimePeriod', 'CpuRealtimeRuntime']],
  [28, ['DeviceCgroupRules']],
  [38, ['MaskedPaths', 'ReadonlyPaths']],
  [40, ['DeviceRequests', 'KernelMemoryTCP']],
  [41, ['CgroupnsMode']],
  [43, ['Annotations']],
]
const sinces = new Map(MEMBERS.flatMap(([since, names]) => names.map((name) => [name, since] as const)))
const CPUSET = 'Cpuset'
const fields = new Names([...sinces.keys(), CPUSET])

/** What a create body may say at top level beside a HostConfig: the inner value wins when it is set. */
const BESIDE = new Set(['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'])

/** Members of HostConfig at the top level, and the old name of CpusetCpus. */
interface Top {
  readonly members: JsonObject
  readonly cpuset: JsonValue | undefined
}

/**
 * Takes the members of HostConfig off the top level, in their canonical spelling; a second spelling is merged as Go does. A member
 * that is newer than the client's version had no effect there, and has none now.
 */
function takeTopLevel(create: JsonObject, client: ApiVersion): Top {
  const members: JsonObject = {}
  let cpuset: JsonValue | undefined
  for (const name of Object.keys(create)) {
    const field = fields.field(name)
    const value = create[name]
    if (field === undefined || value === undefined) continue
    if (field === CPUSET) cpuset = value
    else if ((sinces.get(field) ?? 0) <= client) putAsGo(members, field, value)
    delete create[name]
  }
  return { members, cpuset }
}

/**
 * The engines' own merge (runconfig/config_unix.go:getHostConfig @v26.1.5): with no HostConfig the top level is it;
 * beside one five members count where it leaves them open; `Cpuset` counts where CpusetCpus is empty.
 */
export function gatherHostConfig(create: JsonObject, client: ApiVersion): void {
  const { members, cpuset } = takeTopLevel(create, client)
  const inner = create['HostConfig']
  const hostConfig: JsonObject = isObject(inner) ? inner : {}
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || (isObject(inner) && !BESIDE.has(name))) continue
    if (isUnset(hostConfig[name]) && !(isObject(inner) && isUnset(value))) setMember(hostConfig, name, value)
  }
  if (!isUnset(cpuset) && cpuset !== undefined && isUnset(hostConfig['CpusetCpus'])) hostConfig['CpusetCpus'] = cpuset
  if (!isObject(inner) && Object.keys(hostConfig).length > 0) create['HostConfig'] = hostConfig
}
