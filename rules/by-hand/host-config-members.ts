import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../src/translate/json.ts'

/**
 * Every member of HostConfig from 1.18 to 1.45, the last version whose engines read them at the top level of a create
 * body (api/types/container/hostconfig.go @v26.1.5 and before). None of them is a member of the container's Config.
 */
const MEMBERS = [
  ...['Binds', 'ContainerIDFile', 'LxcConf', 'Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'Privileged'],
  ...['PortBindings', 'Links', 'PublishAllPorts', 'Dns', 'DnsSearch', 'ExtraHosts', 'VolumesFrom', 'Devices'],
  ...['NetworkMode', 'IpcMode', 'PidMode', 'CapAdd', 'CapDrop', 'RestartPolicy', 'SecurityOpt', 'ReadonlyRootfs'],
  ...['Ulimits', 'LogConfig', 'CgroupParent', 'CpuPeriod', 'CpusetMems', 'CpuQuota', 'BlkioWeight', 'OomKillDisable'],
  ...['UTSMode', 'MemorySwappiness', 'GroupAdd', 'ConsoleSize', 'MemoryReservation', 'KernelMemory', 'DnsOptions'],
  ...['VolumeDriver', 'OomScoreAdj', 'Tmpfs', 'ShmSize', 'Isolation', 'BlkioWeightDevice', 'BlkioDeviceReadBps'],
  ...['BlkioDeviceWriteBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps', 'PidsLimit', 'AutoRemove', 'Cgroup'],
  ...['StorageOpt', 'UsernsMode', 'Sysctls', 'CpuCount', 'CpuPercent', 'Runtime', 'IOMaximumIOps', 'Mounts', 'Init'],
  ...['IOMaximumBandwidth', 'NanoCpus', 'CpuRealtimePeriod', 'CpuRealtimeRuntime', 'DeviceCgroupRules', 'MaskedPaths'],
  ...['ReadonlyPaths', 'DeviceRequests', 'KernelMemoryTCP', 'CgroupnsMode', 'Annotations'],
]
const spelling = new Map(MEMBERS.map((name) => [name.toLowerCase(), name]))

/** What a create body may say at top level beside a HostConfig: the inner value wins when it is set. */
const BESIDE = new Set(['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'])

/** Takes the members of HostConfig off the top level, in their canonical spelling; the last of two spellings wins. */
function takeTopLevel(create: JsonObject): JsonObject {
  const taken: JsonObject = {}
  for (const [name, value] of Object.entries(create)) {
    const canonical = spelling.get(name.toLowerCase())
    if (canonical === undefined || value === undefined) continue
    taken[canonical] = value
    delete create[name]
  }
  return taken
}

function takeCpuset(create: JsonObject): JsonValue | undefined {
  const name = Object.keys(create).findLast((key) => key.toLowerCase() === 'cpuset')
  const value = name === undefined ? undefined : create[name]
  if (name !== undefined) delete create[name]
  return value
}

/**
 * The engines' own merge (runconfig/config_unix.go:getHostConfig @v26.1.5): with no HostConfig the top level is it;
 * beside one five members count where it leaves them open; `Cpuset` counts where CpusetCpus is empty.
 */
export function gatherHostConfig(create: JsonObject): void {
  const top = takeTopLevel(create)
  const cpuset = takeCpuset(create)
  const inner = create['HostConfig']
  const hostConfig: JsonObject = isObject(inner) ? inner : {}
  for (const [name, value] of Object.entries(top)) {
    if (value === undefined || (isObject(inner) && !BESIDE.has(name))) continue
    if (isUnset(hostConfig[name]) && !(isObject(inner) && isUnset(value))) setMember(hostConfig, name, value)
  }
  if (!isUnset(cpuset) && cpuset !== undefined && isUnset(hostConfig['CpusetCpus'])) hostConfig['CpusetCpus'] = cpuset
  if (!isObject(inner) && Object.keys(hostConfig).length > 0) create['HostConfig'] = hostConfig
}
