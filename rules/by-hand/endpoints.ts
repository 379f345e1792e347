import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { EndpointSettings } from '../../src/api/shapes/shapes.ts'
import { type Op, refusedWhere } from '../../src/translate/ops.ts'
import { shortId } from '../../src/translate/replaced/label.ts'

/** Whether every engine has the network (runconfig.IsPreDefinedNetwork). */
export const isPredefined = (name: JsonValue | undefined): boolean =>
  name === 'bridge' || name === 'host' || name === 'none'

/** Whether a NetworkMode, or a network by its name, is none that every engine has (container/hostconfig_unix.go:IsUserDefined). */
export const isUserDefined = (mode: JsonValue | undefined): boolean => !isPredefined(networkOfMode(mode) ?? 'none')

/** Whether a container is in the network of another. */
export const sharesContainer = (hostConfig: JsonValue | undefined): boolean =>
  stringOf(memberAt(hostConfig, 'NetworkMode')).startsWith('container:')

/** The endpoints of an inspect body on user-defined networks. */
export function userDefinedEndpoints(container: JsonValue | undefined): JsonObject[] {
  const networks = objectOf(memberAt(container, 'NetworkSettings', 'Networks'))
  return Object.entries(networks).flatMap(([name, endpoint]) =>
    isUserDefined(name) && isObject(endpoint) ? [endpoint] : [],
  )
}

/** The names that engines add to a container's aliases: its short id, and from 20.10 on (1.41) its host name. */
export const ownNames = (container: JsonValue | undefined): [shortId: string, hostName: string] => [
  shortId(stringOf(memberAt(container, 'Id'))),
  stringOf(memberAt(container, 'Config', 'Hostname')),
]

/** The aliases of a request: those shown without the engine's own; null where there is none. */
export function aliasesAsked(shown: JsonValue, own: readonly JsonValue[]): JsonValue | undefined {
  if (!Array.isArray(shown)) return undefined
  const asked = shown.filter((alias) => !own.includes(alias))
  return asked.length === 0 ? null : asked
}

/** daemon/network/network_mode_{unix,windows}.go @v28.5.2 */
export const defaultNetwork = (os: string): string => (os === 'windows' ? 'nat' : 'bridge')

/** The network that a NetworkMode names: the default one if empty or `default`; undefined for host, none and container:…. */
export function networkOfMode(mode: JsonValue | undefined, os = 'linux'): string | undefined {
  if (mode === undefined || mode === null || mode === '' || mode === 'default') return defaultNetwork(os)
  if (typeof mode !== 'string' || mode === 'host' || mode === 'none' || mode.startsWith('container:')) return undefined
  return mode
}

/** The object at a member, made if there is none. */
export function objectAt(parent: JsonObject, member: string): JsonObject {
  const value = parent[member]
  if (isObject(value)) return value
  const made: JsonObject = {}
  parent[member] = made
  return made
}

/**
 * The endpoint of the network that NetworkMode names, created if missing. A single entry is taken whatever its name, as in
 * container_routes.go:epConfigForNetMode. Undefined for host, none and another container's network.
 */
export function primaryEndpoint(create: JsonObject, os = 'linux'): JsonObject | undefined {
  const hostConfig = objectAt(create, 'HostConfig')
  const network = networkOfMode(hostConfig['NetworkMode'], os)
  if (network === undefined) return undefined
  const endpoints = objectAt(objectAt(create, 'NetworkingConfig'), 'EndpointsConfig')
  const [only, ...more] = Object.keys(endpoints)
  if (only !== undefined && more.length === 0) return objectAt(endpoints, only)
  // Engine 25.0 keeps "default", later ones turn it into "bridge": mode and endpoint must agree.
  if (network === defaultNetwork(os)) hostConfig['NetworkMode'] = network
  return objectAt(endpoints, network)
}

/** Moves the container's MAC address to its primary endpoint, unless that has one. Returns false without an endpoint. */
export function macToEndpoint(create: JsonValue | undefined, os?: string): boolean {
  if (!isObject(create) || isUnset(create['MacAddress'])) return true
  const endpoint = primaryEndpoint(create, os)
  if (endpoint === undefined) return false
  if (isUnset(endpoint['MacAddress'])) endpoint['MacAddress'] = create['MacAddress'] ?? ''
  delete create['MacAddress']
  return true
}

/** Sysctls of an endpoint (libnetwork/netlabel/labels.go:EndpointSysctls). */
export const ENDPOINT_SYSCTLS = 'com.docker.network.endpoint.sysctls'

/** An option of an endpoint's driver, which older engines ignore. */
export function endpointOption(option: string, words: string): Op {
  const what = `EndpointsConfig.DriverOpts[${option}]`
  return refusedWhere(onSide(EndpointSettings, 'request'), words, {
    finds: ({ DriverOpts: options }) => (Object.hasOwn(objectOf(options), option) ? what : undefined),
    samples: [[{ DriverOpts: { [option]: 'x' } }, what]],
    stay: [{ DriverOpts: { other: 'x' } }],
  })
}
