import { isDeepStrictEqual } from 'node:util'
import {
  essence,
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
} from '../../src/api/json/json.ts'
import { idOf, REPLACES, shortId } from '../../src/translate/replaced/label.ts'
import { isPredefined, networkOfMode, sharesContainer } from '../by-hand/endpoints.ts'
import { differences } from './host-config-difference.ts'
import { hostConfigOf, lendsHostname } from './merged-host-config.ts'

export const networksOf = (container: JsonObject): JsonObject =>
  objectOf(memberAt(container, 'NetworkSettings', 'Networks'))

/** Members of an endpoint that clients can set; the engine fills the others. */
const ENDPOINT = ['IPAMConfig', 'Links', 'Aliases', 'DriverOpts', 'MacAddress', 'GwPriority']

/** The requested settings of an endpoint. The short id is an alias that engines add. */
function endpointAsked(endpoint: JsonValue | undefined, id: string): JsonObject {
  const asked: JsonObject = {}
  for (const name of ENDPOINT) {
    const value = isObject(endpoint) ? endpoint[name] : undefined
    const own = name === 'Aliases' && Array.isArray(value) ? value.filter((alias) => alias !== shortId(id)) : value
    if (essence(own) !== undefined) asked[name] = own
  }
  return asked
}

/** The networks that NetworkMode names before and after a start, by their keys in Networks; host, none and container:… as they are. */
export interface Modes {
  readonly before: string
  readonly now: string
}

/**
 * The endpoints of the new container, the one of its NetworkMode first. As soon as one is named, engines join the named ones
 * alone (seen on 28.5).
 */
export function endpointsFor(container: JsonObject, { before, now }: Modes, clientId: string): Map<string, JsonObject> {
  if (networkOfMode(now) === undefined) return new Map()
  const networks = networksOf(container)
  // Podman shows the endpoints of the container whose network is shared.
  const own = networkOfMode(before) === undefined ? [] : Object.keys(networks)
  const kept = own.filter((network) => network !== now && network !== before)
  const endpoints = new Map<string, JsonObject>()
  // In another network than that of its mode alone it was created so, or connected and disconnected.
  const joins = before !== now || networks[now] !== undefined || kept.length === 0
  for (const network of joins ? [now, ...kept] : kept) {
    const asked = endpointAsked(networks[network], idOf(container))
    // The others have no name service: an alias is an error there (daemon/container_operations.go).
    if (!isPredefined(network)) asked['Aliases'] = [...new Set([...listOf(asked['Aliases']), shortId(clientId)])]
    endpoints.set(network, asked)
  }
  const isPlain = kept.length === 0 && essence(endpoints.get(now)) === undefined
  return isPlain ? new Map() : endpoints
}

/** Why its networks cannot be kept, or undefined. Podman adds the host name to the aliases. */
export function networkLost(container: JsonObject, { before, now }: Modes, podman: boolean): string | undefined {
  const networks = networksOf(container)
  if (before === now) {
    const wasLeft = !podman && networkOfMode(before) !== undefined && Object.keys(networks).length === 0
    return wasLeft ? `it was taken out of the network ${before}, and would be in it again` : undefined
  }
  const host = podman ? memberAt(container, 'Config', 'Hostname') : undefined
  for (const network of networksLeft(Object.keys(networks), { before, now })) {
    const endpoint = endpointAsked(networks[network], idOf(container))
    if (listOf(endpoint['Aliases']).every((alias) => alias === host)) delete endpoint['Aliases']
    const asked = Object.keys(endpoint)
    if (asked.length > 0) return `it would leave a network and lose ${asked.join(', ')} of its endpoint in ${network}`
  }
  return undefined
}

/** In the network of the host, in none and in that of another container it can be in no other. */
function networksLeft(networks: readonly string[], { before, now }: Modes): readonly string[] {
  if (networkOfMode(before) === undefined) return []
  return networkOfMode(now) === undefined ? networks : [before]
}

/** Members of Config without effect in the network of another container: a start ignores them, a create is refused. */
const OWN_NETWORK = ['Hostname', 'Domainname', 'MacAddress', 'ExposedPorts']

/** The create body of the replacement for `container`, without endpoints. */
export function createBody(container: JsonObject, merged: JsonObject, clientId: string): JsonObject {
  const config = { ...objectOf(container['Config']) }
  // The short id is the default host name; engines allow none if the container shares a namespace.
  const named = config['Hostname'] === shortId(idOf(container)) || config['Hostname'] === shortId(clientId)
  if (named) {
    if (lendsHostname(merged)) delete config['Hostname']
    else config['Hostname'] = shortId(clientId)
  }
  if (sharesContainer(merged)) for (const member of OWN_NETWORK) delete config[member]
  if (merged['UTSMode'] === 'host') delete config['Hostname'] // engines refuse both, in a create alone
  // The create may have removed the entrypoint of the image; [''] removes it again.
  if (config['Entrypoint'] === null || config['Entrypoint'] === undefined) config['Entrypoint'] = ['']
  return { ...config, Labels: { ...objectOf(config['Labels']), [REPLACES]: clientId }, HostConfig: merged }
}

/** Podman does not keep the order of variables, and adds HOSTNAME if a host name was set. */
function sameVariables(before: JsonValue | undefined, { Env: made, Hostname: host }: JsonObject): boolean {
  const all = (list: JsonValue | undefined): JsonValue[] =>
    listOf(list)
      .filter((variable) => variable !== `HOSTNAME=${host}`)
      .sort()
  return isDeepStrictEqual(all(before), all(made))
}

/** Names the settings of the new container that differ from the request. */
export function madeOtherwise(
  asked: JsonObject,
  endpoints: ReadonlyMap<string, JsonObject>,
  before: JsonObject,
  made: JsonObject,
  podman: boolean,
): string[] {
  const found: string[] = []
  if (made['Image'] !== before['Image']) found.push('Image, whose name means another by now')
  const config = objectOf(made['Config'])
  const { Labels, Hostname = config['Hostname'] } = asked
  for (const [name, wanted] of Object.entries({ ...objectOf(before['Config']), Hostname, Labels })) {
    if (sharesContainer(hostConfigOf(asked)) && OWN_NETWORK.includes(name)) continue
    const isSame =
      name === 'Env' ? sameVariables(wanted, config) : isDeepStrictEqual(essence(wanted), essence(config[name]))
    if (!isSame) found.push(`Config.${name}`)
  }
  for (const { member: name } of differences(hostConfigOf(asked), hostConfigOf(made), podman))
    found.push(`HostConfig.${name}`)
  const networks = networksOf(made)
  if (endpoints.size > 0 && Object.keys(networks).length !== endpoints.size) found.push('list of networks')
  for (const [network, endpoint] of endpoints) {
    const has = endpointAsked(networks[network], idOf(made))
    const { Aliases: _mine, ...wanted } = endpoint
    const { Aliases: _its, ...got } = has
    if (networks[network] === undefined || !isDeepStrictEqual(essence(wanted), essence(got)))
      found.push(`its endpoint in ${network}`)
  }
  return found
}
