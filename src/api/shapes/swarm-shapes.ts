import type { Place, Shape } from './shape.ts'

/**
 * The objects of a swarm that occur in several messages. Source: api/types/swarm of the engines, docs/api from v1.24 on.
 */
const below = (places: readonly Place[], path: string): Place[] =>
  places.map((place) => ({ ...place, path: [place.path, path].filter((one) => one !== '').join('.') }))

const shape = (name: string, places: readonly Place[], members: string): Shape => ({
  name,
  places,
  members: members.split(' '),
})

const services: readonly Place[] = [
  { operation: 'ServiceCreate', side: 'request', path: '' },
  { operation: 'ServiceUpdate', side: 'request', path: '' },
  { operation: 'ServiceInspect', side: 'response', path: 'Spec' },
  { operation: 'ServiceInspect', side: 'response', path: 'PreviousSpec' },
  { operation: 'ServiceList', side: 'response', path: '[].Spec' },
  { operation: 'ServiceList', side: 'response', path: '[].PreviousSpec' },
]
const tasks: readonly Place[] = [
  ...below(services, 'TaskTemplate'),
  { operation: 'TaskInspect', side: 'response', path: 'Spec' },
  { operation: 'TaskList', side: 'response', path: '[].Spec' },
]
const containers = below(tasks, 'ContainerSpec')

/**
 * Places of the mounts and the health check of a service's containers, which have the same members as a container's.
 */
export const swarmMounts: readonly Place[] = below(containers, 'Mounts.[]')
/** A mount of a service's containers, for members that containers' mounts have had from the start. */
export const ServiceMount = shape(
  'Spec.TaskTemplate.ContainerSpec.Mounts[]',
  swarmMounts,
  'Type Source Target ReadOnly',
)
export const swarmHealthchecks: readonly Place[] = below(containers, 'Healthcheck')

export const ServiceSpec = shape('Spec', services, 'Name Labels TaskTemplate Mode UpdateConfig Networks EndpointSpec')
export const ServiceMode = shape('Spec.Mode', below(services, 'Mode'), 'Replicated Global')
export const UpdatePolicy = shape(
  'Spec.UpdateConfig',
  [...below(services, 'UpdateConfig'), ...below(services, 'RollbackConfig')],
  'Parallelism Delay FailureAction',
)
export const TaskSpec = shape('Spec.TaskTemplate', tasks, 'ContainerSpec Resources RestartPolicy Placement LogDriver')
export const TaskContainerSpec = shape(
  'Spec.TaskTemplate.ContainerSpec',
  containers,
  'Image Labels Command Args Env Dir User Mounts StopGracePeriod',
)
/** A config of a service's containers. */
export const TaskConfig = shape(
  'Spec.TaskTemplate.ContainerSpec.Configs[]',
  below(containers, 'Configs.[]'),
  'File ConfigID ConfigName',
)
export const TaskPrivileges = shape(
  'Spec.TaskTemplate.ContainerSpec.Privileges',
  below(containers, 'Privileges'),
  'CredentialSpec SELinuxContext',
)
export const TaskCredentialSpec = shape(
  'Spec.TaskTemplate.ContainerSpec.Privileges.CredentialSpec',
  below(containers, 'Privileges.CredentialSpec'),
  'File Registry',
)
/** A plugin run by a service; its members are spelled as in the engines' structs (api/types/swarm/runtime). */
export const TaskPluginSpec = shape(
  'Spec.TaskTemplate.PluginSpec',
  below(tasks, 'PluginSpec'),
  'name remote privileges disabled',
)
export const TaskPlacement = shape('Spec.TaskTemplate.Placement', below(tasks, 'Placement'), 'Constraints')
export const TaskResources = shape('Spec.TaskTemplate.Resources', below(tasks, 'Resources'), 'Limits Reservations')
export const TaskLimits = shape(
  'Spec.TaskTemplate.Resources.Limits',
  below(tasks, 'Resources.Limits'),
  'NanoCPUs MemoryBytes',
)
export const TaskReservations = shape(
  'Spec.TaskTemplate.Resources.Reservations',
  below(tasks, 'Resources.Reservations'),
  'NanoCPUs MemoryBytes',
)
/** A network of a service's tasks. */
export const TaskNetwork = shape(
  'Spec.Networks[]',
  [...below(services, 'Networks.[]'), ...below(tasks, 'Networks.[]')],
  'Target Aliases',
)
export const ServicePort = shape(
  'Spec.EndpointSpec.Ports[]',
  [
    ...below(services, 'EndpointSpec.Ports.[]'),
    ...['Endpoint.Ports.[]', 'Endpoint.Spec.Ports.[]'].flatMap((path): Place[] => [
      { operation: 'ServiceInspect', side: 'response', path },
      { operation: 'ServiceList', side: 'response', path: `[].${path}` },
    ]),
  ],
  'Name Protocol TargetPort PublishedPort',
)

export const Service: Shape = shape(
  'Service',
  [
    { operation: 'ServiceInspect', side: 'response', path: '' },
    { operation: 'ServiceList', side: 'response', path: '[]' },
  ],
  'ID',
)
/** The response to creating or updating a service. */
export const ServiceAnswer: Shape = shape(
  'Service',
  [
    { operation: 'ServiceCreate', side: 'response', path: '' },
    { operation: 'ServiceUpdate', side: 'response', path: '' },
  ],
  'ID',
)
export const Task: Shape = shape(
  'Task',
  [
    { operation: 'TaskInspect', side: 'response', path: '' },
    { operation: 'TaskList', side: 'response', path: '[]' },
  ],
  'ID',
)
export const TaskStatus: Shape = shape('Task.Status', below(Task.places, 'Status'), 'State Message')
/** A network's specification in a task. */
export const TaskNetworkSpec: Shape = shape(
  'Task.NetworksAttachments[].Network.Spec',
  below(Task.places, 'NetworksAttachments.[].Network.Spec'),
  'Name Labels',
)
export const NodeDescription: Shape = shape(
  'Node.Description',
  [
    { operation: 'NodeInspect', side: 'response', path: 'Description' },
    { operation: 'NodeList', side: 'response', path: '[].Description' },
  ],
  'Hostname',
)
export const NodeStatus: Shape = shape(
  'Node.Status',
  [
    { operation: 'NodeInspect', side: 'response', path: 'Status' },
    { operation: 'NodeList', side: 'response', path: '[].Status' },
  ],
  'State Message',
)
export const NodeResources: Shape = shape(
  'Node.Description.Resources',
  below(NodeDescription.places, 'Resources'),
  'NanoCPUs MemoryBytes',
)

const swarms: readonly Place[] = [
  { operation: 'SwarmInit', side: 'request', path: 'Spec' },
  { operation: 'SwarmUpdate', side: 'request', path: '' },
  { operation: 'SwarmInspect', side: 'response', path: 'Spec' },
  { operation: 'SystemInfo', side: 'response', path: 'Swarm.Cluster.Spec' },
]
export const SwarmSpec = shape('Swarm.Spec', swarms, 'Name Labels Orchestration Raft Dispatcher CAConfig TaskDefaults')
export const SwarmCA = shape('Swarm.Spec.CAConfig', below(swarms, 'CAConfig'), 'NodeCertExpiry ExternalCAs')
export const ExternalCA = shape(
  'Swarm.Spec.CAConfig.ExternalCAs[]',
  below(swarms, 'CAConfig.ExternalCAs.[]'),
  'Protocol URL Options',
)
export const SwarmInitRequest = shape(
  'SwarmInit',
  [{ operation: 'SwarmInit', side: 'request', path: '' }],
  'ListenAddr AdvertiseAddr ForceNewCluster Spec',
)
export const SwarmJoinRequest = shape(
  'SwarmJoin',
  [{ operation: 'SwarmJoin', side: 'request', path: '' }],
  'ListenAddr AdvertiseAddr RemoteAddrs JoinToken',
)
export const SwarmInspection = shape(
  'Swarm',
  [
    { operation: 'SwarmInspect', side: 'response', path: '' },
    { operation: 'SystemInfo', side: 'response', path: 'Swarm.Cluster' },
  ],
  'ID',
)

/** The swarm in info. */
export const SwarmInfo = shape('Info.Swarm', [{ operation: 'SystemInfo', side: 'response', path: 'Swarm' }], 'NodeID')

export const swarmShapes: readonly Shape[] = [
  ...[
    ServiceSpec,
    ServiceMode,
    UpdatePolicy,
    TaskSpec,
    TaskContainerSpec,
    TaskConfig,
    TaskPrivileges,
    TaskCredentialSpec,
    TaskPluginSpec,
    ServiceMount,
  ],
  ...[
    TaskPlacement,
    TaskResources,
    TaskLimits,
    TaskReservations,
    TaskNetwork,
    ServicePort,
    Service,
    ServiceAnswer,
    Task,
    TaskStatus,
    TaskNetworkSpec,
  ],
  ...[NodeDescription, NodeStatus, NodeResources, SwarmSpec, SwarmCA, ExternalCA, SwarmInitRequest, SwarmJoinRequest],
  ...[SwarmInspection, SwarmInfo],
]
