import { isUnset, type JsonObject, type JsonValue, objectOf, stringOf } from '../../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../../api/version.ts'
import { words } from '../../../config/text.ts'
import { inWords, now, seconds, timestamp } from '../clock.ts'
import { asTexts, recordedObject } from '../recorded.ts'
import { IMAGE_ID, type Store } from '../store.ts'
import { BRIDGE_ID, type Container } from './container.ts'

/** Renders containers as the engine does: a recorded body with the differing values inserted. */

/** From this version on NetworkSettings lacks the default network's members (moby CHANGELOG v1.52). */
const FLAT_NETWORK_BELOW = 52
/** First version with Health in the list. */
const LIST_HEALTH_FROM = 52
/** Members that Go omits if empty: allowed in requests although the recorded body lacks them. */
const CONFIG_EXTRAS = words('ExposedPorts Healthcheck NetworkDisabled OnBuild StopSignal StopTimeout Shell')
const HOST_CONFIG_EXTRAS = ['Annotations', 'Init', 'Mounts', 'StorageOpt', 'Sysctls', 'Tmpfs']
const IMAGE_SIZE = 1_982_358
const VETH_OUI = '02:42:ac:11:00'

/** The request's values over the engine's defaults; drops unknown members, as Go's decoder does. */
function merged(defaults: JsonObject, given: JsonObject, extras: readonly string[]): JsonObject {
  const result = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !(name in defaults || extras.includes(name))) continue
    if (!isUnset(value) || isUnset(defaults[name])) result[name] = value
  }
  return result
}

function hostConfig(container: Container, defaults: JsonObject): JsonObject {
  const result = merged(defaults, container.hostConfig, HOST_CONFIG_EXTRAS)
  const { Memory, MemorySwap, NetworkMode, LogConfig, RestartPolicy } = result
  if (NetworkMode === 'default') result['NetworkMode'] = 'bridge'
  if (stringOf(objectOf(LogConfig)['Type']) === '') result['LogConfig'] = defaults['LogConfig'] ?? null
  if (stringOf(objectOf(RestartPolicy)['Name']) === '') result['RestartPolicy'] = defaults['RestartPolicy'] ?? null
  // Swap defaults to twice the memory (daemon/daemon_unix.go, adaptContainerSettings).
  if (typeof Memory === 'number' && Memory > 0 && isUnset(MemorySwap)) result['MemorySwap'] = Memory * 2
  return result
}

const isConnected = (container: Container): boolean => container.running && container.networkMode === 'bridge'

function endpoint(container: Container, template: JsonObject): JsonObject {
  if (!isConnected(container)) return { ...template, NetworkID: '' }
  return {
    ...template,
    NetworkID: BRIDGE_ID,
    EndpointID: container.id.split('').reverse().join(''),
    Gateway: '172.17.0.1',
    IPAddress: `172.17.0.${container.hostNumber}`,
    IPPrefixLen: 16,
    MacAddress: `${VETH_OUI}:${container.hostNumber.toString(16).padStart(2, '0')}`,
  }
}

function endpoints(container: Container, settings: JsonObject): JsonObject {
  const template = objectOf(objectOf(settings['Networks'])['bridge'])
  return { [container.networkMode]: endpoint(container, template) }
}

interface Published {
  readonly port: string
  readonly bindings: { HostIp: string; HostPort: string }[]
}

/** The exposed ports, with the host ports of published ones; 0 assigns one from 32768 on. */
function publishedPorts(container: Container): Published[] {
  const bindings = objectOf(container.hostConfig['PortBindings'])
  const all = container.hostConfig['PublishAllPorts'] === true
  const exposed = Object.keys({ ...objectOf(container.config['ExposedPorts']), ...bindings })
  return exposed.map((port, index) => {
    const wanted = bindings[port]
    const given = Array.isArray(wanted) ? wanted.map(objectOf) : []
    const asked = given.length === 0 && all ? [{}] : given
    return {
      port: port.includes('/') ? port : `${port}/tcp`,
      bindings: asked.flatMap((binding) => {
        const number = stringOf(binding['HostPort'])
        const HostPort = number === '' || number === '0' ? String(32_768 + container.hostNumber * 10 + index) : number
        const address = stringOf(binding['HostIp'])
        return (address === '' ? ['0.0.0.0', '::'] : [address]).map((HostIp) => ({ HostIp, HostPort }))
      }),
    }
  })
}

function networkSettings(container: Container, template: JsonObject, version: ApiVersion): JsonObject {
  const networks = endpoints(container, template)
  const ports = publishedPorts(container).map(({ port, bindings }) => [port, bindings.length === 0 ? null : bindings])
  const settings: JsonObject = {
    ...template,
    SandboxID: isConnected(container) ? container.id : '',
    SandboxKey: isConnected(container) ? `/var/run/docker/netns/${container.id.slice(0, 12)}` : '',
    Ports: container.running ? Object.fromEntries(ports) : {},
    Networks: networks,
  }
  if (!isOlder(version, FLAT_NETWORK_BELOW)) return settings
  const { EndpointID, Gateway, IPAddress, IPPrefixLen, MacAddress } = objectOf(networks[container.networkMode])
  const { GlobalIPv6Address, GlobalIPv6PrefixLen, IPv6Gateway } = {
    GlobalIPv6Address: '',
    GlobalIPv6PrefixLen: 0,
    IPv6Gateway: '',
  }
  const flat = {
    EndpointID,
    Gateway,
    GlobalIPv6Address,
    GlobalIPv6PrefixLen,
    IPAddress,
    IPPrefixLen,
    IPv6Gateway,
    MacAddress,
  }
  return { ...settings, ...flat }
}

/** Bind mounts; a source other than a path would be a volume, which the fake engine does not support. */
function mounts(container: Container): JsonObject[] {
  return asTexts(container.hostConfig['Binds'])
    .map((bind) => bind.split(':'))
    .filter(([source]) => source?.startsWith('/'))
    .map(([Source = '', Destination = '', Mode = '']) => ({
      Type: 'bind',
      Source,
      Destination,
      Mode,
      RW: !Mode.split(',').includes('ro'),
      Propagation: 'rprivate',
    }))
}

function state(container: Container): JsonObject {
  return {
    Status: container.status,
    Running: container.running,
    Paused: false,
    Restarting: false,
    OOMKilled: false,
    Dead: false,
    Pid: container.pid,
    ExitCode: container.exitCode,
    Error: '',
    StartedAt: timestamp(container.startedAt),
    FinishedAt: timestamp(container.finishedAt),
  }
}

/** A container's files appear on its first start. */
function files(container: Container): JsonObject {
  const folder = `/var/lib/docker/containers/${container.id}`
  const there = container.startedAt !== 0n
  return {
    ResolvConfPath: there ? `${folder}/resolv.conf` : '',
    HostnamePath: there ? `${folder}/hostname` : '',
    HostsPath: there ? `${folder}/hosts` : '',
    LogPath: there ? `${folder}/${container.id}-json.log` : '',
  }
}

export function inspectContainer(store: Store, container: Container, version: ApiVersion, size: boolean): JsonObject {
  const template = recordedObject('containerInspect', version)
  const [Path = '', ...Args] = container.command
  const config = merged(objectOf(template['Config']), container.config, CONFIG_EXTRAS)
  return {
    ...template,
    Id: container.id,
    Created: timestamp(container.created),
    Path,
    Args,
    State: state(container),
    Image: stringOf(container.config['Image']) === '' ? '' : IMAGE_ID,
    ...files(container),
    Name: `/${container.name}`,
    ExecIDs: store.runningExecs(container),
    HostConfig: hostConfig(container, objectOf(template['HostConfig'])),
    GraphDriver: { Data: { ID: container.id, SourceDir: `/var/lib/docker/vfs/dir/${container.id}` }, Name: 'vfs' },
    ...(size ? { SizeRw: 0, SizeRootFs: IMAGE_SIZE } : {}),
    Mounts: mounts(container),
    Config: { ...config, Hostname: container.hostname, Cmd: container.config['Cmd'] ?? null },
    NetworkSettings: networkSettings(container, objectOf(template['NetworkSettings']), version),
  }
}

function statusText(container: Container): string {
  switch (container.status) {
    case 'created':
      return 'Created'
    case 'running':
      return `Up ${inWords(container.startedAt, now())}`
    case 'exited':
      return `Exited (${container.exitCode}) ${inWords(container.finishedAt, now())} ago`
    default:
      return container.status satisfies never
  }
}

/** Path and arguments on one line; arguments with a space are quoted (strconv and daemon/list.go). */
const commandLine = (container: Container): string =>
  container.command.map((word, i) => (i > 0 && word.includes(' ') ? `'${word}'` : word)).join(' ')

function listedPorts(container: Container): JsonValue {
  if (!container.running) return []
  return publishedPorts(container).flatMap(({ port, bindings }) => {
    const [number, Type = 'tcp'] = port.split('/')
    const PrivatePort = Number(number)
    if (bindings.length === 0) return [{ IP: '', PrivatePort, Type }]
    return bindings.map(({ HostIp, HostPort }) => ({ IP: HostIp, PrivatePort, PublicPort: Number(HostPort), Type }))
  })
}

export function listedContainer(container: Container, version: ApiVersion, size: boolean): JsonObject {
  const { Health, ...template } = recordedObject('containerList', version)
  const image = stringOf(container.config['Image'])
  return {
    ...template,
    Id: container.id,
    Names: [`/${container.name}`],
    Image: image,
    ImageID: image === '' ? '' : IMAGE_ID,
    Command: commandLine(container),
    Created: seconds(container.created),
    Ports: listedPorts(container),
    ...(size ? { SizeRootFs: IMAGE_SIZE } : {}),
    Labels: container.config['Labels'] ?? {},
    State: container.status,
    Status: statusText(container),
    HostConfig: { NetworkMode: container.networkMode },
    ...(isOlder(version, LIST_HEALTH_FROM) ? {} : { Health }),
    NetworkSettings: { Networks: endpoints(container, objectOf(template['NetworkSettings'])) },
    Mounts: mounts(container),
  }
}
