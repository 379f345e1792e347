import { isUnset, type JsonObject, objectOf, stringOf } from '../../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../../api/version.ts'
import { words } from '../../../config/text.ts'
import { type Moment, now, seconds, timestamp } from '../events.ts'
import { recordedObject } from '../recorded.ts'
import { IMAGE_ID, type Store } from '../store.ts'
import type { Container } from './container.ts'

/** Renders containers as the engine does: a recorded body with the differing values inserted. */

/** From this version on NetworkSettings lacks the default network's members (moby CHANGELOG v1.52). */
const FLAT_NETWORK_BELOW = 52
/** First version with Health in the list. */
const LIST_HEALTH_FROM = 52
/** The default network's id, as in the recorded list of containers. */
const BRIDGE_ID = '5c66f25d554801695b2401afaba01b387f398d62f649fb1784be5ebb20525f0f'
/** Members that Go omits if empty: allowed in requests although the recorded body lacks them. */
const CONFIG_EXTRAS = words('ExposedPorts Healthcheck NetworkDisabled OnBuild StopSignal StopTimeout Shell')
const HOST_CONFIG_EXTRAS = ['Annotations', 'Init', 'Mounts', 'StorageOpt', 'Sysctls', 'Tmpfs']
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

function networkSettings(container: Container, template: JsonObject, version: ApiVersion): JsonObject {
  const networks = endpoints(container, template)
  const { EndpointID, Gateway, IPAddress, IPPrefixLen, MacAddress } = objectOf(networks[container.networkMode])
  const flat = { EndpointID, Gateway, IPAddress, IPPrefixLen, MacAddress }
  const noIpv6 = { GlobalIPv6Address: '', GlobalIPv6PrefixLen: 0, IPv6Gateway: '' }
  return {
    ...template,
    SandboxID: isConnected(container) ? container.id : '',
    SandboxKey: isConnected(container) ? `/var/run/docker/netns/${container.id.slice(0, 12)}` : '',
    Ports: container.running ? objectOf(container.hostConfig['PortBindings']) : {},
    Networks: networks,
    ...(isOlder(version, FLAT_NETWORK_BELOW) ? { ...flat, ...noIpv6 } : {}),
  }
}

function state(container: Container): JsonObject {
  return {
    Status: container.status,
    Running: container.running,
    Paused: false,
    Restarting: false,
    OOMKilled: false,
    Dead: false,
    Pid: container.running ? container.process.pid : 0,
    ExitCode: container.exitCode,
    Error: '',
    StartedAt: timestamp(container.startedAt),
    FinishedAt: timestamp(container.finishedAt),
  }
}

export function inspectContainer(store: Store, container: Container, version: ApiVersion): JsonObject {
  const template = recordedObject('containerInspect', version)
  const [Path = '', ...Args] = container.command
  const config = merged(objectOf(template['Config']), container.config, CONFIG_EXTRAS)
  const { Cmd, Hostname } = container.config
  const hostname = stringOf(Hostname)
  const execs = store.execsOf(container).filter(({ process }) => process.running)
  return {
    ...template,
    Id: container.id,
    Created: timestamp(container.created),
    Path,
    Args,
    State: state(container),
    Image: IMAGE_ID,
    Name: `/${container.name}`,
    ExecIDs: execs.length === 0 ? null : execs.map(({ id }) => id),
    HostConfig: hostConfig(container, objectOf(template['HostConfig'])),
    Mounts: [],
    Config: { ...config, Hostname: hostname === '' ? container.id.slice(0, 12) : hostname, Cmd: Cmd ?? null },
    NetworkSettings: networkSettings(container, objectOf(template['NetworkSettings']), version),
  }
}

const since = (moment: Moment): string => `${seconds(now() - moment)} seconds`

const STATUS_TEXTS: Readonly<Record<Container['status'], (container: Container) => string>> = {
  created: () => 'Created',
  running: ({ startedAt }) => `Up ${since(startedAt)}`,
  exited: ({ exitCode, finishedAt }) => `Exited (${exitCode}) ${since(finishedAt)} ago`,
}

/** Path and arguments on one line; arguments with a space are quoted (strconv and daemon/list.go). */
const commandLine = (container: Container): string =>
  container.command.map((word, i) => (i > 0 && word.includes(' ') ? `'${word}'` : word)).join(' ')

export function listedContainer(container: Container, version: ApiVersion): JsonObject {
  const { Health, ...template } = recordedObject('containerList', version)
  return {
    ...template,
    Id: container.id,
    Names: [`/${container.name}`],
    Image: stringOf(container.config['Image']),
    ImageID: IMAGE_ID,
    Command: commandLine(container),
    Created: seconds(container.created),
    Ports: [],
    Labels: container.config['Labels'] ?? {},
    State: container.status,
    Status: STATUS_TEXTS[container.status](container),
    HostConfig: { NetworkMode: container.networkMode },
    ...(isOlder(version, LIST_HEALTH_FROM) ? {} : { Health }),
    NetworkSettings: { Networks: endpoints(container, objectOf(template['NetworkSettings'])) },
    Mounts: [],
  }
}
