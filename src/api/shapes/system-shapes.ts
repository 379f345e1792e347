import { below, inside, request, response, shape } from './shape.ts'

export const ImageListItem = shape('ImageListItem', '', [
  response('ImageList', '[]'),
  response('SystemDataUsage', 'Images.[]'),
  response('SystemDataUsage', 'ImageUsage.Items.[]'),
])
export const ImageInspect = shape('ImageInspect', '', [response('ImageInspect')])
/** `Config` and `ContainerConfig` of an image. */
export const ImageConfig = shape('ImageConfig', '', [
  response('ImageInspect', 'Config'),
  response('ImageInspect', 'ContainerConfig'),
])
export const HistoryItem = shape('HistoryItem', '', [response('ImageHistory', '[]')])
export const SearchItem = shape('SearchItem', '', [response('ImageSearch', '[]')])

export const Info = shape('Info', '', [response('SystemInfo')])
export const RegistryConfig = shape('RegistryConfig', '', [response('SystemInfo', 'RegistryConfig')])
/** `Runtimes{}` of info. */
export const InfoRuntime = shape('Runtimes{}', '', [response('SystemInfo', 'Runtimes.{}')])
export const Plugin = shape('Plugin', '', [response('PluginInspect'), response('PluginList', '[]')])
/** `Config` of a plugin. */
export const PluginConfig = below(Plugin, 'Config')
export const PluginInterface = below(PluginConfig, 'Interface')
export const Version = shape('Version', '', [response('SystemVersion')])
export const StatsRecord = shape('StatsRecord', '', [response('ContainerStats')])
/** `cpu_stats` and `precpu_stats`. */
export const CpuStats = shape('CpuStats', '', [
  response('ContainerStats', 'cpu_stats'),
  response('ContainerStats', 'precpu_stats'),
])
export const MemoryStats = shape('MemoryStats', '', [response('ContainerStats', 'memory_stats')])
/** A record of a build's progress. */
export const BuildRecord = shape('BuildRecord', '', [response('ImageBuild')])
/** A record of a build, pull, push or load. */
export const ProgressRecord = shape(
  'ProgressRecord',
  '',
  (['ImageBuild', 'ImageCreate', 'ImageLoad', 'ImagePush', 'PluginPull', 'PluginPush', 'PluginUpgrade'] as const).map(
    (operation) => response(operation),
  ),
)
export const EventRecord = shape('EventRecord', '', [response('SystemEvents')])

export const EventAttributes = shape('Actor.Attributes', '', [response('SystemEvents', 'Actor.Attributes')])

export const Volume = shape('Volume', '', [
  response('VolumeInspect'),
  response('VolumeCreate'),
  response('VolumeList', 'Volumes.[]'),
  response('SystemDataUsage', 'Volumes.[]'),
  response('SystemDataUsage', 'VolumeUsage.Items.[]'),
])
export const VolumeCreateRequest = shape('VolumeCreateRequest', 'Name Driver DriverOpts', [request('VolumeCreate')])
export const VolumeListResponse = shape('VolumeListResponse', '', [response('VolumeList')])

export const Network = shape('Network', '', [response('NetworkInspect'), response('NetworkList', '[]')])
export const NetworkCreateRequest = shape('NetworkCreateRequest', 'Name CheckDuplicate Driver IPAM Options', [
  request('NetworkCreate'),
])
/** `IPAM` of a network, in requests and responses. */
export const Ipam = shape('IPAM', 'Driver Config', [
  request('NetworkCreate', 'IPAM'),
  ...inside(Network.places, 'IPAM'),
])
export const IpamConfig = below(Ipam, 'Config.[]', 'Subnet IPRange Gateway AuxiliaryAddresses')
/** `Containers{}` of a network. */
export const NetworkContainer = shape('Containers{}', '', inside(Network.places, 'Containers.{}'))
export const ConnectRequest = shape('ConnectRequest', 'Container', [request('NetworkConnect')])
export const DisconnectRequest = shape('DisconnectRequest', 'Container', [request('NetworkDisconnect')])
/** The create body of a swarm's secret or config. */
export const SwarmFileSpec = shape('Spec', 'Name Labels Data', [
  ...(['SecretCreate', 'ConfigCreate', 'SecretUpdate', 'ConfigUpdate'] as const).map((name) => request(name)),
  ...(['SecretInspect', 'ConfigInspect'] as const).map((name) => response(name, 'Spec')),
  ...(['SecretList', 'ConfigList'] as const).map((name) => response(name, '[].Spec')),
])
export const DataUsage = shape('DataUsage', '', [response('SystemDataUsage')])
