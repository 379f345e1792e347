import { isUnset, type JsonObject, objectOf, stringOf } from '../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../api/version.ts'
import { PID } from './process.ts'
import { recordedObject } from './recorded.ts'
import type { Container } from './store.ts'

/** Containers as the engine shows them: recorded bodies with what differs. */

/** From this version on NetworkSettings lacks the default network's members (moby CHANGELOG v1.52). */
const FLAT_NETWORK_BELOW = 52
/** First version with Health in the list. */
const LIST_HEALTH_FROM = 52

/** Go's zero time is that of what has not happened. */
const timestamp = (moment: Date | undefined): string => moment?.toISOString() ?? '0001-01-01T00:00:00Z'

/** The request's values over the engine's defaults. */
const merged = (defaults: JsonObject, given: JsonObject): JsonObject => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([name, value]) => !isUnset(value) || isUnset(defaults[name]))),
})

/** Every container is in the default network. */
const network = ({ id, process }: Container): JsonObject =>
  process.running ? { EndpointID: id, Gateway: '172.17.0.1', IPAddress: '172.17.0.2', IPPrefixLen: 16 } : {}

function networks(container: Container, settings: JsonObject): JsonObject {
  const { bridge } = objectOf(settings['Networks'])
  return { bridge: { ...objectOf(bridge), ...network(container) } }
}

function networkSettings(container: Container, template: JsonObject, version: ApiVersion): JsonObject {
  const noIpv6 = { GlobalIPv6Address: '', GlobalIPv6PrefixLen: 0, IPv6Gateway: '' }
  const none = { EndpointID: '', Gateway: '', IPAddress: '', IPPrefixLen: 0, MacAddress: '', ...noIpv6 }
  const flat = isOlder(version, FLAT_NETWORK_BELOW) ? { ...none, ...network(container) } : {}
  const sandbox = container.process.running ? { SandboxID: container.id, SandboxKey: '/var/run/docker/netns/1' } : {}
  return { ...template, ...sandbox, ...flat, Networks: networks(container, template) }
}

export function inspectContainer(container: Container, version: ApiVersion): JsonObject {
  const template = recordedObject('containerInspect', version)
  const { id, config, hostConfig, process, status } = container
  const { running, exitCode = 0 } = process
  const [Path = '', ...Args] = container.command
  return {
    ...template,
    ...{ Id: id, Created: timestamp(container.created), Path, Args, Name: `/${container.name}` },
    State: {
      ...objectOf(template['State']),
      ...{ Status: status, Running: running, Pid: running ? PID : 0, ExitCode: exitCode },
      ...{ StartedAt: timestamp(container.startedAt), FinishedAt: timestamp(container.finishedAt) },
    },
    HostConfig: merged(objectOf(template['HostConfig']), hostConfig),
    Config: { Hostname: id.slice(0, 12), ...merged(objectOf(template['Config']), config), Cmd: config['Cmd'] ?? null },
    NetworkSettings: networkSettings(container, objectOf(template['NetworkSettings']), version),
  }
}

const since = (moment: Date | undefined): string =>
  `${Math.trunc((Date.now() - (moment?.getTime() ?? 0)) / 1000)} seconds`

const STATUS_TEXTS: Readonly<Record<Container['status'], (container: Container) => string>> = {
  created: () => 'Created',
  running: ({ startedAt }) => `Up ${since(startedAt)}`,
  exited: ({ process, finishedAt }) => `Exited (${process.exitCode}) ${since(finishedAt)} ago`,
}

export function listedContainer(container: Container, version: ApiVersion): JsonObject {
  const { Health, ...template } = recordedObject('containerList', version)
  const { id, name, config, command, created, status } = container
  return {
    ...template,
    ...{ Id: id, Names: [`/${name}`], Image: stringOf(config['Image']), Command: command.join(' ') },
    ...{ Created: Math.trunc(created.getTime() / 1000), Ports: [], Labels: config['Labels'] ?? {} },
    ...{ State: status, Status: STATUS_TEXTS[status](container), HostConfig: { NetworkMode: 'bridge' } },
    ...(isOlder(version, LIST_HEALTH_FROM) ? {} : { Health }),
    NetworkSettings: { Networks: networks(container, objectOf(template['NetworkSettings'])) },
    Mounts: [],
  }
}
