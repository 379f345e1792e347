import { containerShapes } from './container-shapes.ts'
import { request, response } from './places.ts'
import type { Shape } from './shape.ts'
import { swarmShapes } from './swarm-shapes.ts'

/**
 * JSON objects that occur in several messages, with all their places. `members` are those of 1.18 in canonical
 * spelling; the rules add later ones (`added`).
 * Source: the engines' own structs (api/types), by version in docs/api.
 */
export * from './container-shapes.ts'

export const ImageListItem: Shape = {
  name: 'ImageListItem',
  members: [],
  places: [
    response('ImageList', '[]'),
    response('SystemDataUsage', 'Images.[]'),
    response('SystemDataUsage', 'ImageUsage.Items.[]'),
  ],
}
export const ImageInspect: Shape = { name: 'ImageInspect', members: [], places: [response('ImageInspect')] }
/** `Config` and `ContainerConfig` of an image. */
export const ImageConfig: Shape = {
  name: 'ImageConfig',
  members: [],
  places: [response('ImageInspect', 'Config'), response('ImageInspect', 'ContainerConfig')],
}
export const HistoryItem: Shape = { name: 'HistoryItem', members: [], places: [response('ImageHistory', '[]')] }
export const SearchItem: Shape = { name: 'SearchItem', members: [], places: [response('ImageSearch', '[]')] }

export const Info: Shape = { name: 'Info', members: [], places: [response('SystemInfo')] }
/** `Runtimes{}` of info. */
export const InfoRuntime: Shape = {
  name: 'Runtimes{}',
  members: [],
  places: [response('SystemInfo', 'Runtimes.{}')],
}
export const Plugin: Shape = {
  name: 'Plugin',
  members: [],
  places: [response('PluginInspect'), response('PluginList', '[]')],
}
/** `Config` of a plugin. */
export const PluginConfig: Shape = {
  name: 'Plugin.Config',
  members: [],
  places: [response('PluginInspect', 'Config'), response('PluginList', '[].Config')],
}
export const PluginInterface: Shape = {
  name: 'Plugin.Config.Interface',
  members: [],
  places: [response('PluginInspect', 'Config.Interface'), response('PluginList', '[].Config.Interface')],
}
export const Version: Shape = { name: 'Version', members: [], places: [response('SystemVersion')] }
export const StatsRecord: Shape = { name: 'StatsRecord', members: [], places: [response('ContainerStats')] }
/** `cpu_stats` and `precpu_stats`. */
export const CpuStats: Shape = {
  name: 'CpuStats',
  members: [],
  places: [response('ContainerStats', 'cpu_stats'), response('ContainerStats', 'precpu_stats')],
}
export const MemoryStats: Shape = {
  name: 'MemoryStats',
  members: [],
  places: [response('ContainerStats', 'memory_stats')],
}
export const EventRecord: Shape = { name: 'EventRecord', members: [], places: [response('SystemEvents')] }

export const Volume: Shape = {
  name: 'Volume',
  members: [],
  places: [
    response('VolumeInspect'),
    response('VolumeCreate'),
    response('VolumeList', 'Volumes.[]'),
    response('SystemDataUsage', 'Volumes.[]'),
    response('SystemDataUsage', 'VolumeUsage.Items.[]'),
  ],
}
export const VolumeCreateRequest: Shape = {
  name: 'VolumeCreateRequest',
  members: ['Name', 'Driver', 'DriverOpts'],
  places: [request('VolumeCreate')],
}
export const VolumeListResponse: Shape = { name: 'VolumeListResponse', members: [], places: [response('VolumeList')] }

export const Network: Shape = {
  name: 'Network',
  members: [],
  places: [response('NetworkInspect'), response('NetworkList', '[]')],
}
export const NetworkCreateRequest: Shape = {
  name: 'NetworkCreateRequest',
  members: ['Name', 'CheckDuplicate', 'Driver', 'IPAM', 'Options'],
  places: [request('NetworkCreate')],
}
/** `IPAM` of a network, in requests and responses. */
export const Ipam: Shape = {
  name: 'IPAM',
  members: ['Driver', 'Config'],
  places: [request('NetworkCreate', 'IPAM'), response('NetworkInspect', 'IPAM'), response('NetworkList', '[].IPAM')],
}
export const IpamConfig: Shape = {
  name: 'IPAM.Config[]',
  members: ['Subnet', 'IPRange', 'Gateway', 'AuxiliaryAddresses'],
  places: [
    request('NetworkCreate', 'IPAM.Config.[]'),
    response('NetworkInspect', 'IPAM.Config.[]'),
    response('NetworkList', '[].IPAM.Config.[]'),
  ],
}
/** `Containers{}` of a network. */
export const NetworkContainer: Shape = {
  name: 'Containers{}',
  members: [],
  places: [response('NetworkInspect', 'Containers.{}'), response('NetworkList', '[].Containers.{}')],
}
export const ConnectRequest: Shape = {
  name: 'ConnectRequest',
  members: ['Container'],
  places: [request('NetworkConnect')],
}
export const DisconnectRequest: Shape = {
  name: 'DisconnectRequest',
  members: ['Container'],
  places: [request('NetworkDisconnect')],
}
/** The create body of a swarm's secret or config. */
export const SwarmFileSpec: Shape = {
  name: 'Spec',
  members: ['Name', 'Labels', 'Data'],
  places: [
    ...(['SecretCreate', 'ConfigCreate', 'SecretUpdate', 'ConfigUpdate'] as const).map((name) => request(name)),
    ...(['SecretInspect', 'ConfigInspect'] as const).map((name) => response(name, 'Spec')),
    ...(['SecretList', 'ConfigList'] as const).map((name) => response(name, '[].Spec')),
  ],
}
export const DataUsage: Shape = { name: 'DataUsage', members: [], places: [response('SystemDataUsage')] }

/** All shapes, for the startup check and the canonical spelling of requests. */
export const shapes: readonly Shape[] = [
  ...containerShapes,
  ...[
    ImageListItem,
    ImageInspect,
    ImageConfig,
    HistoryItem,
    SearchItem,
    Info,
    InfoRuntime,
    Plugin,
    PluginConfig,
    PluginInterface,
    Version,
    StatsRecord,
    CpuStats,
    MemoryStats,
    EventRecord,
  ],
  ...[
    Volume,
    VolumeCreateRequest,
    VolumeListResponse,
    Network,
    NetworkCreateRequest,
    Ipam,
    IpamConfig,
    NetworkContainer,
  ],
  ...[ConnectRequest, DisconnectRequest, DataUsage, SwarmFileSpec],
  ...swarmShapes,
]
