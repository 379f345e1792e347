import { isObject, isUnset, type JsonObject, type JsonValue, setMember } from '../../src/api/json/json.ts'
import { Names, putAsGo } from '../../src/api/json/names.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

const LAST_OF_1_6 = apiVersion(18)
const DRIVER_MOVED = apiVersion(21)
const IGNORED_FROM = apiVersion(46)

/**
 * The members of HostConfig up to 1.45, the last whose engines read them at the top level of a create body
 * (api/types/container/hostconfig.go @v26.1.5 and before). None is a member of Config.
 */
const MEMBERS = [
  ...['Binds', 'ContainerIDFile', 'LxcConf', 'Memory', 'MemorySwap', 'CpuShares'],
  ...['CpusetCpus', 'Privileged', 'PortBindings', 'Links', 'PublishAllPorts', 'Dns'],
  ...['DnsSearch', 'ExtraHosts', 'VolumesFrom', 'Devices', 'NetworkMode', 'IpcMode'],
  ...['PidMode', 'CapAdd', 'CapDrop', 'RestartPolicy', 'SecurityOpt', 'ReadonlyRootfs'],
  ...['Ulimits', 'LogConfig', 'CgroupParent', 'CpuPeriod', 'CpusetMems', 'CpuQuota'],
  ...['BlkioWeight', 'OomKillDisable', 'UTSMode', 'VolumeDriver', 'MemorySwappiness', 'GroupAdd'],
  ...['ConsoleSize', 'MemoryReservation', 'KernelMemory', 'DnsOptions', 'OomScoreAdj', 'Tmpfs'],
  ...['ShmSize', 'Isolation', 'BlkioWeightDevice', 'BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps'],
  ...['BlkioDeviceWriteIOps', 'PidsLimit', 'AutoRemove', 'Cgroup', 'StorageOpt', 'UsernsMode'],
  ...['Sysctls', 'CpuCount', 'CpuPercent', 'Runtime', 'IOMaximumIOps', 'IOMaximumBandwidth'],
  ...['Mounts', 'Init', 'NanoCpus', 'CpuRealtimePeriod', 'CpuRealtimeRuntime', 'DeviceCgroupRules'],
  ...['MaskedPaths', 'ReadonlyPaths', 'DeviceRequests', 'KernelMemoryTCP', 'CgroupnsMode', 'Annotations'],
]
const CPUSET = 'Cpuset'
const fields = new Names([...MEMBERS, CPUSET])

/** What a create body may say at top level beside a HostConfig: the inner value wins when it is set. */
const BESIDE = new Set(['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'])

/** Members of HostConfig at the top level, and the old name of CpusetCpus. */
interface Top {
  readonly members: JsonObject
  readonly cpuset: JsonValue | undefined
}

/** Takes the members of HostConfig off the top level, in their canonical spelling; a second spelling is merged as Go does. */
function takeTopLevel(create: JsonObject): Top {
  const members: JsonObject = {}
  let cpuset: JsonValue | undefined
  for (const name of Object.keys(create)) {
    const field = fields.field(name)
    const value = create[name]
    if (field === undefined || value === undefined) continue
    if (field === CPUSET) cpuset = value
    else putAsGo(members, field, value)
    delete create[name]
  }
  return { members, cpuset }
}

/**
 * The engines' own merge (runconfig/config_unix.go:getHostConfig @v26.1.5): with no HostConfig the top level is it;
 * beside one five members count where it leaves them open; `Cpuset` counts where CpusetCpus is empty.
 */
export function gatherHostConfig(create: JsonObject): void {
  const { members, cpuset } = takeTopLevel(create)
  const inner = create['HostConfig']
  const hostConfig: JsonObject = isObject(inner) ? inner : {}
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || (isObject(inner) && !BESIDE.has(name))) continue
    if (isUnset(hostConfig[name]) && !(isObject(inner) && isUnset(value))) setMember(hostConfig, name, value)
  }
  if (!isUnset(cpuset) && cpuset !== undefined && isUnset(hostConfig['CpusetCpus'])) hostConfig['CpusetCpus'] = cpuset
  if (!isObject(inner) && Object.keys(hostConfig).length > 0) create['HostConfig'] = hostConfig
}

/** Engines from 27.0 on ignore the top level; the older one behind would read it. */
export function dropTopLevel({ body }: RequestMessage): void {
  if (isObject(body)) takeTopLevel(body)
}

/** All that stands at the top level goes into HostConfig, but for VolumeDriver where it belongs to the config (1.19, 1.20). */
export function gatherTopLevel({ body }: RequestMessage, { client }: StepContext): void {
  if (!isObject(body)) return
  const { VolumeDriver: driver } = body
  if (client < DRIVER_MOVED) delete body['VolumeDriver']
  gatherHostConfig(body)
  if (client < DRIVER_MOVED && driver !== undefined) body['VolumeDriver'] = driver
}

/**
 * Changes look for the members in HostConfig, and some make one, beside which the top level would count no longer.
 * Clients of 1.18 are read by the rules of 1.19, which first give each member the type that 1.6 saw in it.
 */
export function readTopLevel(message: RequestMessage, context: StepContext): void {
  if (context.client > LAST_OF_1_6 && context.client < IGNORED_FROM) gatherTopLevel(message, context)
}
