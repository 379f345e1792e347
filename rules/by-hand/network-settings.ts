import { isObject, isUnset, type JsonObject, type JsonValue, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import type { Whole } from '../../src/translate/ops/derived.ts'
import { networkOfMode } from './endpoints.ts'
import { wasNeverStarted } from './state-status.ts'

/** Members that NetworkSettings and an endpoint of 1.21 share (DefaultNetworkSettings @v1.9.1), with their empty values. */
export const FLAT = {
  EndpointID: '',
  Gateway: '',
  IPAddress: '',
  IPPrefixLen: 0,
  IPv6Gateway: '',
  GlobalIPv6Address: '',
  GlobalIPv6PrefixLen: 0,
  MacAddress: '',
} as const

interface Networking {
  readonly settings: JsonObject
  readonly state: JsonObject
  /** HostConfig.NetworkMode, `bridge` if it is the default. */
  readonly mode: string
}

export function networkingOf(container: Whole): Networking | undefined {
  const { NetworkSettings: settings, State: state, HostConfig: host } = objectOf(container)
  if (!isObject(settings)) return undefined
  const { NetworkMode: mode } = objectOf(host)
  return { settings, state: objectOf(state), mode: networkOfMode(mode) ?? stringOf(mode) }
}

/** The endpoint that engines without networks would show: that of NetworkMode (a name or an id), or the only one. */
function ownEndpoint(networks: JsonObject, mode: string): JsonObject | undefined {
  const byName = networks[mode]
  if (isObject(byName)) return byName
  const endpoints = Object.values(networks).filter(isObject)
  const byId = endpoints.find(({ NetworkID: id }) => typeof id === 'string' && id !== '' && id.startsWith(mode))
  return byId ?? (endpoints.length === 1 ? endpoints[0] : undefined)
}

/** Fills the flat members from the container's own network if the engine left them empty. */
export function fillFlat({ settings, mode }: Networking, networks: JsonObject): void {
  const endpoint = ownEndpoint(networks, mode)
  if (endpoint === undefined) return
  if (isUnset(settings['IPAddress']) && isUnset(settings['GlobalIPv6Address'])) {
    for (const [member, empty] of Object.entries(FLAT)) settings[member] = endpoint[member] ?? empty
  }
  // Newer engines show the network of a stopped container; engines up to 1.8 showed "" once the endpoint was gone.
  if (!isUnset(endpoint['NetworkID']) && !isUnset(endpoint['EndpointID'])) settings['NetworkID'] = endpoint['NetworkID']
}

/** Fills the flat members as engines up to 1.8 did. */
export function flatFromNetworks({ body }: ResponseMessage, { client }: StepContext): void {
  const networking = networkingOf(body)
  if (networking === undefined) return
  const { settings } = networking
  if (isObject(settings['Networks'])) fillFlat(networking, settings['Networks'])
  if (client >= 19 && isUnset(settings['NetworkID'])) settings['NetworkID'] = '' // 1.7 and 1.8 always send it
}

/** Makes `Networks` from the flat members. Before the first start 1.9 shows null, 1.10 on the network with empty values. */
export function networksFromFlat(flat: JsonObject, { client }: StepContext, container: Whole): JsonValue | undefined {
  const networking = networkingOf(container)
  if (networking === undefined) return undefined
  const { state, mode } = networking
  if (client === 21 && wasNeverStarted(state)) return null
  if (mode.startsWith('container:')) return {}
  return {
    [mode]: {
      ...(client >= 22 ? { IPAMConfig: null, Links: null, Aliases: null, NetworkID: '' } : {}),
      ...Object.fromEntries(Object.entries(FLAT).map(([member, empty]) => [member, flat[member] ?? empty])),
    },
  }
}
