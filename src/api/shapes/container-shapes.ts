import { below, inside, type Place, request, response, shape } from './shape.ts'
import { ServiceMount, TaskContainerSpec } from './swarm-shapes.ts'
import { ImageConfig } from './system-shapes.ts'

/** The objects of containers and of exec; see shapes.ts. */
const RESOURCES = 'Memory MemorySwap CpuShares CpusetCpus'

/** A container's process: the create body, `Config` in inspect, the commit body. Not the image's: see ImageConfig. */
export const ContainerConfig = shape(
  'ContainerConfig',
  `
    Hostname Domainname User AttachStdin AttachStdout AttachStderr PortSpecs ExposedPorts Tty OpenStdin
    StdinOnce Env Cmd Image Volumes WorkingDir Entrypoint NetworkDisabled MacAddress OnBuild Labels Memory
    MemorySwap CpuShares Cpuset HostConfig
  `,
  [request('ContainerCreate'), request('ImageCommit'), response('ContainerInspect', 'Config')],
)

/** A container's resources on its host. */
export const HostConfig = shape(
  'HostConfig',
  `
    ${RESOURCES} Binds ContainerIDFile LxcConf Privileged PortBindings Links PublishAllPorts Dns DnsSearch
    ExtraHosts VolumesFrom Devices NetworkMode IpcMode PidMode CapAdd CapDrop RestartPolicy SecurityOpt
    ReadonlyRootfs Ulimits LogConfig CgroupParent
  `,
  [request('ContainerCreate', 'HostConfig'), request('ContainerStart'), response('ContainerInspect', 'HostConfig')],
)

export const RestartPolicy = shape('HostConfig.RestartPolicy', 'Name MaximumRetryCount', [
  ...inside(HostConfig.places, 'RestartPolicy'),
  request('ContainerUpdate', 'RestartPolicy'),
])
export const LogConfig = below(HostConfig, 'LogConfig', 'Type Config')
export const Ulimit = below(HostConfig, 'Ulimits.[]', 'Name Soft Hard')
export const PortBinding = below(HostConfig, 'PortBindings.{}.[]', 'HostIp HostPort')
export const Device = below(HostConfig, 'Devices.[]', 'PathOnHost PathInContainer CgroupPermissions')

/** The body of update (1.22). */
export const UpdateConfig = shape('UpdateConfig', RESOURCES, [request('ContainerUpdate')])

export const ContainerInspect = shape('ContainerInspect', '', [response('ContainerInspect')])
export const ContainerState = shape('State', '', [response('ContainerInspect', 'State')])
export const NetworkSettings = shape('NetworkSettings', '', [response('ContainerInspect', 'NetworkSettings')])
/** Places of a list's containers. */
const listed: readonly Place[] = [
  response('ContainerList', '[]'),
  response('ContainerListPs', '[]'),
  response('SystemDataUsage', 'Containers.[]'),
  response('SystemDataUsage', 'ContainerUsage.Items.[]'),
]
const inLists = (path: string): Place[] => inside(listed, path)

export const ContainerListItem = shape('ContainerListItem', '', listed)
/** `HostConfig` in a list. */
export const ListedHostConfig = below(ContainerListItem, 'HostConfig')
export const MountPoint = shape('Mounts[]', '', [response('ContainerInspect', 'Mounts.[]'), ...inLists('Mounts.[]')])

/** The network part of a create body (1.22). */
export const NetworkingConfig = shape('NetworkingConfig', 'EndpointsConfig', [
  request('ContainerCreate', 'NetworkingConfig'),
])

/** A container's network endpoint, in responses and in create and connect requests. */
export const EndpointSettings = shape(
  'EndpointSettings',
  `
    IPAMConfig Links Aliases NetworkID EndpointID Gateway IPAddress IPPrefixLen IPv6Gateway GlobalIPv6Address
    GlobalIPv6PrefixLen MacAddress
  `,
  [
    request('ContainerCreate', 'NetworkingConfig.EndpointsConfig.{}'),
    request('NetworkConnect', 'EndpointConfig'),
    response('ContainerInspect', 'NetworkSettings.Networks.{}'),
    ...inLists('NetworkSettings.Networks.{}'),
  ],
)

/** Addresses requested for an endpoint. */
export const EndpointIpamConfig = shape(
  'IPAMConfig',
  'IPv4Address IPv6Address',
  inside(EndpointSettings.places, 'IPAMConfig'),
)

export const Healthcheck = shape('Healthcheck', 'Test Interval Timeout Retries', [
  ...inside(ContainerConfig.places, 'Healthcheck'),
  ...inside(ImageConfig.places, 'Healthcheck'),
  ...inside(TaskContainerSpec.places, 'Healthcheck'),
])

/** The mounts of containers (1.25), and those of a service's containers. */
export const MountSpec = shape(
  'HostConfig.Mounts[]',
  'Type Source Target ReadOnly Consistency BindOptions VolumeOptions TmpfsOptions',
  [
    request('ContainerCreate', 'HostConfig.Mounts.[]'),
    response('ContainerInspect', 'HostConfig.Mounts.[]'),
    ...ServiceMount.places,
  ],
)

/** `BindOptions` of a mount (1.25). */
export const BindOptions = below(MountSpec, 'BindOptions', 'Propagation')

/** `VolumeOptions` and `TmpfsOptions` of a mount. */
export const MountVolumeOptions = below(MountSpec, 'VolumeOptions', 'NoCopy Labels DriverConfig')
export const MountTmpfsOptions = below(MountSpec, 'TmpfsOptions', 'SizeBytes Mode')

export const CreateResponse = shape('CreateResponse', '', [response('ContainerCreate')])
export const WaitResponse = shape('WaitResponse', '', [response('ContainerWait')])

export const ExecConfig = shape(
  'ExecConfig',
  'User Privileged Tty Container AttachStdin AttachStderr AttachStdout Detach Cmd',
  [request('ContainerExec')],
)
export const ExecStartConfig = shape('ExecStartConfig', 'Detach Tty', [request('ExecStart')])
export const ExecInspect = shape('ExecInspect', '', [response('ExecInspect')])
