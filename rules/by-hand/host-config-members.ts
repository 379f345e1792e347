import { isObject, isUnset, type JsonObject, type JsonValue, objectOf, setMember } from '../../src/api/json/json.ts'
import { memberNamed, Names, putAsGo } from '../../src/api/json/names.ts'
import { words } from '../../src/config/text.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

const DRIVER_MOVED = 21

/**
 * The members of HostConfig up to 1.45, the last version whose engines read them at the top level of a create body
 * (api/types/container/hostconfig.go @v26.1.5 and before). None is a member of Config.
 */
const MEMBERS = words(`
  Binds ContainerIDFile LxcConf Memory MemorySwap CpuShares CpusetCpus Privileged PortBindings Links
  PublishAllPorts Dns DnsSearch ExtraHosts VolumesFrom Devices NetworkMode IpcMode PidMode CapAdd CapDrop
  RestartPolicy SecurityOpt ReadonlyRootfs Ulimits LogConfig CgroupParent CpuPeriod CpusetMems CpuQuota
  BlkioWeight OomKillDisable UTSMode VolumeDriver MemorySwappiness GroupAdd ConsoleSize MemoryReservation
  KernelMemory DnsOptions OomScoreAdj Tmpfs ShmSize Isolation BlkioWeightDevice BlkioDeviceReadBps
  BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps PidsLimit AutoRemove Cgroup StorageOpt UsernsMode
  Sysctls CpuCount CpuPercent Runtime IOMaximumIOps IOMaximumBandwidth Mounts Init NanoCpus CpuRealtimePeriod
  CpuRealtimeRuntime DeviceCgroupRules MaskedPaths ReadonlyPaths DeviceRequests KernelMemoryTCP CgroupnsMode
  Annotations
`)
/** `Cpuset` is the old name of CpusetCpus. */
const fields = new Names([...MEMBERS, 'Cpuset'])

/** Top-level members that engines read beside a HostConfig, if it does not set them. */
const BESIDE = new Set(['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'])

/** Removes the members of HostConfig from the top level and returns them in canonical spelling, duplicates merged as by Go. */
function takeTopLevel(create: JsonObject): JsonObject {
  const members: JsonObject = {}
  for (const name of Object.keys(create)) {
    const field = fields.field(name)
    if (field === undefined || create[name] === undefined) continue
    putAsGo(members, field, create[name])
    delete create[name]
  }
  return members
}

/**
 * Merges as engines do (runconfig/config_unix.go:getHostConfig @v26.1.5): without a HostConfig the top level becomes it;
 * otherwise five members fill unset ones. `Cpuset` fills an empty CpusetCpus.
 */
function gatherHostConfig(create: JsonObject): void {
  const inner = create['HostConfig']
  if (inner !== undefined && inner !== null && !isObject(inner)) return // the engine refuses it
  const { Cpuset: cpuset, ...members } = takeTopLevel(create)
  const hostConfig: JsonObject = objectOf(inner)
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || (isObject(inner) && !BESIDE.has(name))) continue
    if (isUnset(hostConfig[name]) && !(isObject(inner) && isUnset(value))) setMember(hostConfig, name, value)
  }
  fill(hostConfig, 'CpusetCpus', cpuset)
  if (!isObject(inner) && Object.keys(hostConfig).length > 0) create['HostConfig'] = hostConfig
}

/** Engines from 27.0 on ignore these members; the older target would read them. */
export function dropTopLevel({ body }: RequestMessage): void {
  if (isObject(body)) takeTopLevel(body)
}

/** Moves top-level members into HostConfig, except VolumeDriver for clients whose Config has it (1.19, 1.20). */
export function gatherTopLevel({ body }: RequestMessage, { client }: StepContext): void {
  if (!isObject(body)) return
  const { VolumeDriver: driver } = body
  if (client < DRIVER_MOVED) delete body['VolumeDriver']
  gatherHostConfig(body)
  if (client < DRIVER_MOVED && driver !== undefined) body['VolumeDriver'] = driver
}

/**
 * Runs before all changes: they expect these members in HostConfig, and a HostConfig that a change adds would hide the top
 * level. Bodies of 1.18 clients are read by the rules of 1.19, which first convert each member to the type that 1.6 read.
 */
export function readTopLevel(message: RequestMessage, context: StepContext): void {
  if (context.client > 18 && context.client < 46) gatherTopLevel(message, context)
}

/**
 * The body of start is a HostConfig, bare or wrapped in `{"HostConfig": …}`, with the old name `Cpuset` beside it
 * (runconfig/config.go:getHostConfig @v1.6.2 … @v20.10). Steps see it bare. No engine reads anything from `{}` and
 * `null`, but a member that a step added to them would replace the container's HostConfig: both are removed.
 */
export function readStartBody(message: RequestMessage): void {
  const { body } = message
  if (body === null || (isObject(body) && Object.keys(body).length === 0)) message.body = undefined
  if (!isObject(body)) return
  const inner = takeOut(body, 'HostConfig')
  const cpuset = takeOut(body, 'Cpuset')
  const hostConfig = isObject(inner) ? inner : body
  if (isObject(inner)) for (const member of BESIDE) fill(hostConfig, member, body[member])
  fill(hostConfig, 'CpusetCpus', cpuset)
  // `{"HostConfig": {}}` does replace it, with defaults; in a bare body, an unset member has the same effect.
  if (isObject(inner) && Object.keys(inner).length === 0) hostConfig['Binds'] = null
  message.body = Object.keys(hostConfig).length === 0 ? undefined : hostConfig
}

function takeOut(object: JsonObject, field: string): JsonValue | undefined {
  const name = memberNamed(object, field)
  if (name === undefined) return undefined
  const value = object[name]
  delete object[name]
  return value
}

function fill(object: JsonObject, member: string, value: JsonValue | undefined): void {
  if (value !== undefined && !isUnset(value) && isUnset(object[member])) object[member] = value
}
