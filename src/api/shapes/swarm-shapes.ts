import { inside, type Place, request, response, shape } from './shape.ts'

// The objects of a swarm. Source: api/types/swarm of the engines, docs/api from v1.24 on.

const services: readonly Place[] = [
  request('ServiceCreate'),
  request('ServiceUpdate'),
  response('ServiceInspect', 'Spec'),
  response('ServiceInspect', 'PreviousSpec'),
  response('ServiceList', '[].Spec'),
  response('ServiceList', '[].PreviousSpec'),
]
const tasks: readonly Place[] = [
  ...inside(services, 'TaskTemplate'),
  response('TaskInspect', 'Spec'),
  response('TaskList', '[].Spec'),
]
const containers = inside(tasks, 'ContainerSpec')

/**
 * Places of the mounts and the health check of a service's containers, which have the same members as a container's.
 */
export const swarmMounts: readonly Place[] = inside(containers, 'Mounts.[]')
/** A mount of a service's containers, for members that containers' mounts have had from the start. */
export const ServiceMount = shape(
  'Spec.TaskTemplate.ContainerSpec.Mounts[]',
  'Type Source Target ReadOnly',
  swarmMounts,
)
export const swarmHealthchecks: readonly Place[] = inside(containers, 'Healthcheck')

export const ServiceSpec = shape('Spec', 'Name Labels TaskTemplate Mode UpdateConfig Networks EndpointSpec', services)
export const ServiceMode = shape('Spec.Mode', 'Replicated Global', inside(services, 'Mode'))
export const UpdatePolicy = shape('Spec.UpdateConfig', 'Parallelism Delay FailureAction', [
  ...inside(services, 'UpdateConfig'),
  ...inside(services, 'RollbackConfig'),
])
export const TaskSpec = shape('Spec.TaskTemplate', 'ContainerSpec Resources RestartPolicy Placement LogDriver', tasks)
export const TaskContainerSpec = shape(
  'Spec.TaskTemplate.ContainerSpec',
  'Image Labels Command Args Env Dir User Mounts StopGracePeriod',
  containers,
)
/** A config of a service's containers. */
export const TaskConfig = shape(
  'Spec.TaskTemplate.ContainerSpec.Configs[]',
  'File ConfigID ConfigName',
  inside(containers, 'Configs.[]'),
)
export const TaskPrivileges = shape(
  'Spec.TaskTemplate.ContainerSpec.Privileges',
  'CredentialSpec SELinuxContext',
  inside(containers, 'Privileges'),
)
export const TaskCredentialSpec = shape(
  'Spec.TaskTemplate.ContainerSpec.Privileges.CredentialSpec',
  'File Registry',
  inside(containers, 'Privileges.CredentialSpec'),
)
/** A plugin run by a service; its members are spelled as in the engines' structs (api/types/swarm/runtime). */
export const TaskPluginSpec = shape(
  'Spec.TaskTemplate.PluginSpec',
  'name remote privileges disabled',
  inside(tasks, 'PluginSpec'),
)
export const TaskPlacement = shape('Spec.TaskTemplate.Placement', 'Constraints', inside(tasks, 'Placement'))
export const TaskResources = shape('Spec.TaskTemplate.Resources', 'Limits Reservations', inside(tasks, 'Resources'))
export const TaskLimits = shape(
  'Spec.TaskTemplate.Resources.Limits',
  'NanoCPUs MemoryBytes',
  inside(tasks, 'Resources.Limits'),
)
export const TaskReservations = shape(
  'Spec.TaskTemplate.Resources.Reservations',
  'NanoCPUs MemoryBytes',
  inside(tasks, 'Resources.Reservations'),
)
/** A network of a service's tasks. */
export const TaskNetwork = shape('Spec.Networks[]', 'Target Aliases', [
  ...inside(services, 'Networks.[]'),
  ...inside(tasks, 'Networks.[]'),
])
export const ServicePort = shape('Spec.EndpointSpec.Ports[]', 'Name Protocol TargetPort PublishedPort', [
  ...inside(services, 'EndpointSpec.Ports.[]'),
  ...['Endpoint.Ports.[]', 'Endpoint.Spec.Ports.[]'].flatMap((path): Place[] => [
    response('ServiceInspect', path),
    response('ServiceList', `[].${path}`),
  ]),
])

export const Service = shape('Service', 'ID', [response('ServiceInspect'), response('ServiceList', '[]')])
/** The response to creating or updating a service. */
export const ServiceAnswer = shape('Service', 'ID', [response('ServiceCreate'), response('ServiceUpdate')])
export const Task = shape('Task', 'ID', [response('TaskInspect'), response('TaskList', '[]')])
export const TaskStatus = shape('Task.Status', 'State Message', inside(Task.places, 'Status'))
/** A network's specification in a task. */
export const TaskNetworkSpec = shape(
  'Task.NetworksAttachments[].Network.Spec',
  'Name Labels',
  inside(Task.places, 'NetworksAttachments.[].Network.Spec'),
)
export const NodeDescription = shape('Node.Description', 'Hostname', [
  response('NodeInspect', 'Description'),
  response('NodeList', '[].Description'),
])
export const NodeStatus = shape('Node.Status', 'State Message', [
  response('NodeInspect', 'Status'),
  response('NodeList', '[].Status'),
])
export const NodeResources = shape(
  'Node.Description.Resources',
  'NanoCPUs MemoryBytes',
  inside(NodeDescription.places, 'Resources'),
)

const swarms: readonly Place[] = [
  request('SwarmInit', 'Spec'),
  request('SwarmUpdate'),
  response('SwarmInspect', 'Spec'),
  response('SystemInfo', 'Swarm.Cluster.Spec'),
]
export const SwarmSpec = shape('Swarm.Spec', 'Name Labels Orchestration Raft Dispatcher CAConfig TaskDefaults', swarms)
export const SwarmCA = shape('Swarm.Spec.CAConfig', 'NodeCertExpiry ExternalCAs', inside(swarms, 'CAConfig'))
export const ExternalCA = shape(
  'Swarm.Spec.CAConfig.ExternalCAs[]',
  'Protocol URL Options',
  inside(swarms, 'CAConfig.ExternalCAs.[]'),
)
export const SwarmInitRequest = shape('SwarmInit', 'ListenAddr AdvertiseAddr ForceNewCluster Spec', [
  request('SwarmInit'),
])
export const SwarmJoinRequest = shape('SwarmJoin', 'ListenAddr AdvertiseAddr RemoteAddrs JoinToken', [
  request('SwarmJoin'),
])
export const SwarmInspection = shape('Swarm', 'ID', [response('SwarmInspect'), response('SystemInfo', 'Swarm.Cluster')])

/** The swarm in info. */
export const SwarmInfo = shape('Info.Swarm', 'NodeID', [response('SystemInfo', 'Swarm')])
