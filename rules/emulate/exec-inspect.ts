import { ProxyError } from '../../src/api/errors.ts'
import { isObject, isUnset, type JsonObject, type JsonValue, listOf, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { called } from './as-kept.ts'

/** Members that the engines' own container struct shares with container inspect. */
const SHARED = [
  ...['State', 'Created', 'Path', 'Args', 'Config', 'Image', 'NetworkSettings', 'ResolvConfPath', 'HostnamePath'],
  ...['HostsPath', 'LogPath', 'Name', 'Driver', 'MountLabel', 'ProcessLabel', 'AppArmorProfile', 'RestartCount'],
]
/** Engine 1.9 has no flat addresses here. */
const SETTINGS_OF_1_9 = [
  ...['Bridge', 'SandboxID', 'HairpinMode', 'LinkLocalIPv6Address', 'LinkLocalIPv6PrefixLen', 'Networks', 'Ports'],
  ...['SandboxKey', 'SecondaryIPAddresses', 'SecondaryIPv6Addresses'],
]
const RESOURCES = ['Memory', 'MemorySwap', 'CpuShares', 'Cpuset']
const OMITTED_WHEN_EMPTY = ['PortSpecs', 'VolumeDriver', 'NetworkDisabled', 'MacAddress']

/**
 * Up to engine 1.9 exec inspect has the whole container in the daemon's internal form, whatever the prefix. The container
 * is inspected, translated to the client's version and rearranged.
 * Source: daemon/exec.go, daemon/container.go @v1.6.2 … v1.9.1; recorded on all four (exec-inspect-running).
 */
export async function embedContainer(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const exec = message.body
  if (!isObject(exec) || isObject(exec['Container']) || typeof exec['ContainerID'] !== 'string') return
  const body = await called(context, exec['ContainerID'])
  if (body === undefined)
    throw new ProxyError('not-found', `No such exec instance '${context.call.params['id']}' found in daemon`)
  const mountPoints = mountPointsOf(body)
  const inspect = context.translateResponse('ContainerInspect', body)
  if (isObject(inspect)) exec['Container'] = container(inspect, mountPoints, context)
}

function container(inspect: JsonObject, mountPoints: JsonObject, context: EmulationContext): JsonObject {
  const { Id, ExecDriver } = inspect
  const common: JsonObject = { ...picked(inspect, SHARED), ID: Id, ExecDriver: ExecDriver ?? 'native-0.2' }
  if (isObject(common['State'])) delete common['State']['Status']
  if (context.policy.profile === 'spec') return { ...common, ...picked(inspect, ['Volumes', 'VolumesRW', 'Mounts']) }
  const { client } = context
  const ofClient =
    client === 18
      ? { ...picked(inspect, ['Volumes', 'VolumesRW']), AppliedVolumesFrom: null }
      : { MountPoints: mountPoints, Volumes: {}, VolumesRW: {} }
  return {
    ...{ ...common, Config: config(inspect['Config'], client), ...ofClient },
    ...(client < 21 ? { UpdateDns: false } : onlyIn19(inspect)),
    ...(client < 20 ? {} : { HasBeenStartedBefore: false }),
  }
}

function onlyIn19(inspect: JsonObject): JsonObject {
  const settings = inspect['NetworkSettings']
  const folder = String(inspect['ResolvConfPath'] ?? '').replace(/\/[^/]*$/, '')
  const beside = (name: string): string => (folder === '' ? '' : `${folder}/${name}`)
  return {
    NetworkSettings: isObject(settings) ? { ...picked(settings, SETTINGS_OF_1_9), IsAnonymousEndpoint: false } : null,
    HasBeenManuallyStopped: false,
    ShmPath: beside('shm'),
    MqueuePath: beside('mqueue'),
  }
}

/** Here Config lost the limits in 1.7 and empty members in 1.8; container inspect has both below 1.20. */
function config(value: JsonValue | undefined, client: number): JsonValue {
  if (!isObject(value)) return null
  const kept = { ...value }
  if (client >= 19) for (const member of RESOURCES) delete kept[member]
  if (client >= 20) for (const member of OMITTED_WHEN_EMPTY) if (isUnset(kept[member])) delete kept[member]
  return kept
}

/** Mount points by destination, from Mounts, or from Volumes if the engine still sends those below 1.20. */
function mountPointsOf(inspect: JsonObject): JsonObject {
  const points: JsonObject = {}
  for (const mount of listOf(inspect['Mounts'])) {
    if (!isObject(mount)) continue
    const { Destination, Name = '', Driver = '', RW = true, Source = '', Mode = '' } = mount
    points[String(Destination)] = point(String(Destination), { Name, Driver, RW, Source, Relabel: Mode })
  }
  const { Volumes: volumes, VolumesRW: writable } = inspect
  for (const [target, source] of Object.entries(objectOf(volumes))) {
    const name = /\/volumes\/([^/]+)\/_data$/.exec(String(source))?.[1] ?? ''
    const known = { Name: name, Driver: name === '' ? '' : 'local', Source: source, Relabel: '' }
    points[target] ??= point(target, { ...known, RW: isObject(writable) ? (writable[target] ?? true) : true })
  }
  return points
}

/** A named volume has no Source: the daemon asked the driver for the path. */
const point = (target: string, known: JsonObject): JsonObject => ({
  ...known,
  Destination: target,
  Source: known['Name'] === '' ? known['Source'] : '',
})

const picked = (object: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(members.filter((member) => Object.hasOwn(object, member)).map((m) => [m, object[m]]))
