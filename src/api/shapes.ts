import type { Place, Shape } from '../translate/shape.ts'
import { swarmHealthchecks, swarmMounts, swarmShapes } from './swarm-shapes.ts'

/**
 * Objects that occur in several messages, each named once with every place it occurs in. `members` are those of 1.18
 * in their canonical spelling; later ones come from the rules (`added`).
 * Source: the engines' own structs (api/types), by version in docs/api.
 */
const request = (operation: Shape['places'][number]['operation'], path = ''): Shape['places'][number] => ({
  operation,
  side: 'request',
  path,
})
const response = (operation: Shape['places'][number]['operation'], path = ''): Shape['places'][number] => ({
  operation,
  side: 'response',
  path,
})

const RESOURCES = ['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus'] as const

/** What a container runs: the create body, `Config` in inspect, the commit body. Not the image's Config: see ImageConfig. */
export const ContainerConfig: Shape = {
  name: 'ContainerConfig',
  members: [
    ...[
      'Hostname',
      'Domainname',
      'User',
      'AttachStdin',
      'AttachStdout',
      'AttachStderr',
      'PortSpecs',
      'ExposedPorts',
      'Tty',
      'OpenStdin',
    ],
    ...[
      'StdinOnce',
      'Env',
      'Cmd',
      'Image',
      'Volumes',
      'WorkingDir',
      'Entrypoint',
      'NetworkDisabled',
      'MacAddress',
      'OnBuild',
      'Labels',
    ],
    ...['Memory', 'MemorySwap', 'CpuShares', 'Cpuset', 'HostConfig'],
  ],
  places: [request('ContainerCreate'), request('ImageCommit'), response('ContainerInspect', 'Config')],
}

/** How a container runs on its host. */
export const HostConfig: Shape = {
  name: 'HostConfig',
  members: [
    ...RESOURCES,
    ...[
      'Binds',
      'ContainerIDFile',
      'LxcConf',
      'Privileged',
      'PortBindings',
      'Links',
      'PublishAllPorts',
      'Dns',
      'DnsSearch',
      'ExtraHosts',
    ],
    ...[
      'VolumesFrom',
      'Devices',
      'NetworkMode',
      'IpcMode',
      'PidMode',
      'CapAdd',
      'CapDrop',
      'RestartPolicy',
      'SecurityOpt',
    ],
    ...['ReadonlyRootfs', 'Ulimits', 'LogConfig', 'CgroupParent'],
  ],
  places: [
    request('ContainerCreate', 'HostConfig'),
    request('ContainerStart'),
    response('ContainerInspect', 'HostConfig'),
  ],
}

export const RestartPolicy: Shape = {
  name: 'HostConfig.RestartPolicy',
  members: ['Name', 'MaximumRetryCount'],
  places: [
    request('ContainerCreate', 'HostConfig.RestartPolicy'),
    request('ContainerStart', 'RestartPolicy'),
    request('ContainerUpdate', 'RestartPolicy'),
    response('ContainerInspect', 'HostConfig.RestartPolicy'),
  ],
}

export const LogConfig: Shape = {
  name: 'HostConfig.LogConfig',
  members: ['Type', 'Config'],
  places: [
    request('ContainerCreate', 'HostConfig.LogConfig'),
    request('ContainerStart', 'LogConfig'),
    response('ContainerInspect', 'HostConfig.LogConfig'),
  ],
}

/** The body of update (1.22). */
export const UpdateConfig: Shape = { name: 'UpdateConfig', members: RESOURCES, places: [request('ContainerUpdate')] }

export const ContainerInspect: Shape = { name: 'ContainerInspect', members: [], places: [response('ContainerInspect')] }
export const ContainerState: Shape = { name: 'State', members: [], places: [response('ContainerInspect', 'State')] }
export const NetworkSettings: Shape = {
  name: 'NetworkSettings',
  members: [],
  places: [response('ContainerInspect', 'NetworkSettings')],
}
export const ContainerListItem: Shape = {
  name: 'ContainerListItem',
  members: [],
  places: [
    response('ContainerList', '[]'),
    response('ContainerListPs', '[]'),
    response('SystemDataUsage', 'Containers.[]'),
  ],
}
export const MountPoint: Shape = {
  name: 'Mounts[]',
  members: [],
  places: [
    response('ContainerInspect', 'Mounts.[]'),
    response('ContainerList', '[].Mounts.[]'),
    response('ContainerListPs', '[].Mounts.[]'),
    response('SystemDataUsage', 'Containers.[].Mounts.[]'),
  ],
}

/** What a create body says of networks (1.22). */
export const NetworkingConfig: Shape = {
  name: 'NetworkingConfig',
  members: ['EndpointsConfig'],
  places: [request('ContainerCreate', 'NetworkingConfig')],
}

/** An endpoint as a container sees it, in answers and in create and connect requests. */
export const EndpointSettings: Shape = {
  name: 'EndpointSettings',
  members: [
    'IPAMConfig',
    'Links',
    'Aliases',
    'NetworkID',
    'EndpointID',
    'Gateway',
    'IPAddress',
    'IPPrefixLen',
    'IPv6Gateway',
    'GlobalIPv6Address',
    'GlobalIPv6PrefixLen',
    'MacAddress',
  ],
  places: [
    request('ContainerCreate', 'NetworkingConfig.EndpointsConfig.{}'),
    request('NetworkConnect', 'EndpointConfig'),
    response('ContainerInspect', 'NetworkSettings.Networks.{}'),
    response('ContainerList', '[].NetworkSettings.Networks.{}'),
    response('ContainerListPs', '[].NetworkSettings.Networks.{}'),
    response('SystemDataUsage', 'Containers.[].NetworkSettings.Networks.{}'),
  ],
}

/** The addresses that an endpoint asks for. */
export const EndpointIpamConfig: Shape = {
  name: 'IPAMConfig',
  members: ['IPv4Address', 'IPv6Address'],
  places: EndpointSettings.places.map((place) => ({ ...place, path: `${place.path}.IPAMConfig` })),
}

export const Healthcheck: Shape = {
  name: 'Healthcheck',
  members: ['Test', 'Interval', 'Timeout', 'Retries'],
  places: [
    request('ContainerCreate', 'Healthcheck'),
    request('ImageCommit', 'Healthcheck'),
    response('ContainerInspect', 'Config.Healthcheck'),
    response('ImageInspect', 'Config.Healthcheck'),
    response('ImageInspect', 'ContainerConfig.Healthcheck'),
    ...swarmHealthchecks,
  ],
}

/** The mounts of containers, and those of a service's containers. */
const mounts: readonly Place[] = [
  request('ContainerCreate', 'HostConfig.Mounts.[]'),
  response('ContainerInspect', 'HostConfig.Mounts.[]'),
  ...swarmMounts,
]
const ofMounts = (member: string): Place[] => mounts.map((place) => ({ ...place, path: `${place.path}.${member}` }))

/** `HostConfig.Mounts[]` in a create body (1.25). */
export const MountSpec: Shape = {
  name: 'HostConfig.Mounts[]',
  members: ['Type', 'Source', 'Target', 'ReadOnly', 'Consistency', 'BindOptions', 'VolumeOptions', 'TmpfsOptions'],
  places: mounts,
}

/** `BindOptions` of a mount (1.25). */
export const BindOptions: Shape = {
  name: 'HostConfig.Mounts[].BindOptions',
  members: ['Propagation'],
  places: ofMounts('BindOptions'),
}

/** `VolumeOptions` and `TmpfsOptions` of a mount. */
export const MountVolumeOptions: Shape = {
  name: 'HostConfig.Mounts[].VolumeOptions',
  members: ['NoCopy', 'Labels', 'DriverConfig'],
  places: ofMounts('VolumeOptions'),
}
export const MountTmpfsOptions: Shape = {
  name: 'HostConfig.Mounts[].TmpfsOptions',
  members: ['SizeBytes', 'Mode'],
  places: ofMounts('TmpfsOptions'),
}

export const CreateResponse: Shape = { name: 'CreateResponse', members: [], places: [response('ContainerCreate')] }
export const WaitResponse: Shape = { name: 'WaitResponse', members: [], places: [response('ContainerWait')] }

export const ExecConfig: Shape = {
  name: 'ExecConfig',
  members: ['User', 'Privileged', 'Tty', 'Container', 'AttachStdin', 'AttachStderr', 'AttachStdout', 'Detach', 'Cmd'],
  places: [request('ContainerExec')],
}
export const ExecStartConfig: Shape = {
  name: 'ExecStartConfig',
  members: ['Detach', 'Tty'],
  places: [request('ExecStart')],
}
export const ExecInspect: Shape = { name: 'ExecInspect', members: [], places: [response('ExecInspect')] }

export const ImageListItem: Shape = {
  name: 'ImageListItem',
  members: [],
  places: [response('ImageList', '[]'), response('SystemDataUsage', 'Images.[]')],
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
/** `IPAM` of a network, asked for and answered. */
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
/** What a secret or config of a swarm is made from. */
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

/** Every shape, for the boot check and the canonical spelling of requests. */
export const shapes: readonly Shape[] = [
  ...[
    ContainerConfig,
    HostConfig,
    RestartPolicy,
    LogConfig,
    UpdateConfig,
    ContainerInspect,
    ContainerState,
    NetworkSettings,
    ContainerListItem,
  ],
  ...[
    MountPoint,
    NetworkingConfig,
    EndpointSettings,
    EndpointIpamConfig,
    Healthcheck,
    MountSpec,
    MountVolumeOptions,
    MountTmpfsOptions,
    BindOptions,
    CreateResponse,
    WaitResponse,
    ExecConfig,
    ExecStartConfig,
    ExecInspect,
  ],
  ...[
    ImageListItem,
    ImageInspect,
    ImageConfig,
    HistoryItem,
    SearchItem,
    Info,
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
