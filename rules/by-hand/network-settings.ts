import { isObject, isUnset, type JsonObject, objectOf, stringOf } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
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

export interface Networking {
  readonly settings: JsonObject
  readonly state: JsonObject
  /** HostConfig.NetworkMode, `bridge` if it is the default. */
  readonly mode: string
}

export function networkingOf({ body }: ResponseMessage): Networking | undefined {
  if (!isObject(body) || !isObject(body['NetworkSettings'])) return undefined
  const host = objectOf(body['HostConfig'])
  const mode = stringOf(host['NetworkMode'])
  return {
    settings: body['NetworkSettings'],
    state: objectOf(body['State']),
    mode: mode === '' || mode === 'default' ? 'bridge' : mode,
  }
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
export function flatFromNetworks(message: ResponseMessage, { client }: StepContext): void {
  const networking = networkingOf(message)
  if (networking === undefined) return
  const { settings } = networking
  if (isObject(settings['Networks'])) fillFlat(networking, settings['Networks'])
  if (client >= 19 && isUnset(settings['NetworkID'])) settings['NetworkID'] = '' // 1.7 and 1.8 always send it
}

/** Makes `Networks` from the flat members. Before the first start 1.9 shows null, 1.10 on the network with empty values. */
export function networksFromFlat(message: ResponseMessage, { client }: StepContext): void {
  const networking = networkingOf(message)
  if (networking === undefined || Object.hasOwn(networking.settings, 'Networks')) return
  const { settings, state, mode } = networking
  if (client === 21 && wasNeverStarted(state)) settings['Networks'] = null
  else if (mode.startsWith('container:')) settings['Networks'] = {}
  else
    settings['Networks'] = {
      [mode]: {
        ...(client >= 22
          ? { IPAMConfig: null, Links: null, Aliases: null, NetworkID: settings['NetworkID'] ?? '' }
          : {}),
        ...Object.fromEntries(Object.entries(FLAT).map(([member, empty]) => [member, settings[member] ?? empty])),
      },
    }
}

/** Before the first start engine 1.9 shows no networks (recording 1.9.1, inspect-min), 1.10 the requested ones. */
export function noNetworksYet(message: ResponseMessage, { client }: StepContext): void {
  const networking = networkingOf(message)
  if (networking === undefined || client !== 21 || !Object.hasOwn(networking.state, 'StartedAt')) return
  if (!wasNeverStarted(networking.state)) return
  networking.settings['Networks'] = null
}
