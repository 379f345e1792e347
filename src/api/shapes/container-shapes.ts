import { request, response } from './places.ts'
import type { Place, Shape } from './shape.ts'
import { swarmHealthchecks, swarmMounts } from './swarm-shapes.ts'

/** The objects of containers and of exec; see shapes.ts. */
const RESOURCES = ['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus'] as const

/**
 * A container's process: the create body, `Config` in inspect, the commit body. Not the image's Config: see
 * ImageConfig.
 */
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

/** A container's resources on its host. */
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
/** Places of a list's containers. */
const listed: readonly Place[] = [
  response('ContainerList', '[]'),
  response('ContainerListPs', '[]'),
  response('SystemDataUsage', 'Containers.[]'),
  response('SystemDataUsage', 'ContainerUsage.Items.[]'),
]
const inLists = (path: string): Place[] => listed.map((place) => ({ ...place, path: `${place.path}.${path}` }))

export const ContainerListItem: Shape = { name: 'ContainerListItem', members: [], places: listed }
/** `HostConfig` in a list. */
export const ListedHostConfig: Shape = {
  name: 'ContainerListItem.HostConfig',
  members: [],
  places: inLists('HostConfig'),
}
export const MountPoint: Shape = {
  name: 'Mounts[]',
  members: [],
  places: [response('ContainerInspect', 'Mounts.[]'), ...inLists('Mounts.[]')],
}

/** The network part of a create body (1.22). */
export const NetworkingConfig: Shape = {
  name: 'NetworkingConfig',
  members: ['EndpointsConfig'],
  places: [request('ContainerCreate', 'NetworkingConfig')],
}

/** A container's network endpoint, in responses and in create and connect requests. */
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
    ...inLists('NetworkSettings.Networks.{}'),
  ],
}

/** Addresses requested for an endpoint. */
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

export const containerShapes: readonly Shape[] = [
  ContainerConfig,
  HostConfig,
  RestartPolicy,
  LogConfig,
  UpdateConfig,
  ContainerInspect,
  ContainerState,
  NetworkSettings,
  ContainerListItem,
  ListedHostConfig,
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
]
