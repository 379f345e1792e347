import { below, inside, type Place, request, response, shape } from './shape.ts'

// The objects of a swarm. Source: api/types/swarm of the engines, docs/api from v1.24 on.

export const Service = shape('Service', 'ID', [response('ServiceInspect'), response('ServiceList', '[]')])
export const Task = shape('Task', 'ID', [response('TaskInspect'), response('TaskList', '[]')])

const services: readonly Place[] = [
  request('ServiceCreate'),
  request('ServiceUpdate'),
  ...inside(Service.places, 'Spec'),
  ...inside(Service.places, 'PreviousSpec'),
]
const tasks: readonly Place[] = [...inside(services, 'TaskTemplate'), ...inside(Task.places, 'Spec')]

export const ServiceSpec = shape('Spec', 'Name Labels TaskTemplate Mode UpdateConfig Networks EndpointSpec', services)
export const ServiceMode = below(ServiceSpec, 'Mode', 'Replicated Global')
export const UpdatePolicy = shape('Spec.UpdateConfig', 'Parallelism Delay FailureAction', [
  ...inside(services, 'UpdateConfig'),
  ...inside(services, 'RollbackConfig'),
])
export const TaskSpec = shape('Spec.TaskTemplate', 'ContainerSpec Resources RestartPolicy Placement LogDriver', tasks)
export const TaskContainerSpec = below(
  TaskSpec,
  'ContainerSpec',
  'Image Labels Command Args Env Dir User Mounts StopGracePeriod',
)
/** A mount of a service's containers, for members that containers' mounts have had from the start. */
export const ServiceMount = below(TaskContainerSpec, 'Mounts.[]', 'Type Source Target ReadOnly')
/** A config of a service's containers. */
export const TaskConfig = below(TaskContainerSpec, 'Configs.[]', 'File ConfigID ConfigName')
export const TaskPrivileges = below(TaskContainerSpec, 'Privileges', 'CredentialSpec SELinuxContext')
export const TaskCredentialSpec = below(TaskPrivileges, 'CredentialSpec', 'File Registry')
/** A plugin run by a service; its members are spelled as in the engines' structs (api/types/swarm/runtime). */
export const TaskPluginSpec = below(TaskSpec, 'PluginSpec', 'name remote privileges disabled')
export const TaskPlacement = below(TaskSpec, 'Placement', 'Constraints')
export const TaskResources = below(TaskSpec, 'Resources', 'Limits Reservations')
export const TaskLimits = below(TaskResources, 'Limits', 'NanoCPUs MemoryBytes')
export const TaskReservations = below(TaskResources, 'Reservations', 'NanoCPUs MemoryBytes')
/** A network of a service's tasks. */
export const TaskNetwork = shape('Spec.Networks[]', 'Target Aliases', [
  ...inside(services, 'Networks.[]'),
  ...inside(tasks, 'Networks.[]'),
])
export const ServiceEndpoint = below(ServiceSpec, 'EndpointSpec', 'Mode Ports')
export const ServicePort = shape('Spec.EndpointSpec.Ports[]', 'Name Protocol TargetPort PublishedPort', [
  ...inside(services, 'EndpointSpec.Ports.[]'),
  ...inside(Service.places, 'Endpoint.Ports.[]'),
  ...inside(Service.places, 'Endpoint.Spec.Ports.[]'),
])

/** The response to creating or updating a service. */
export const ServiceAnswer = shape('Service', 'ID', [response('ServiceCreate'), response('ServiceUpdate')])
export const TaskStatus = below(Task, 'Status', 'State Message')
/** A network's specification in a task. */
export const TaskNetworkSpec = below(Task, 'NetworksAttachments.[].Network.Spec', 'Name Labels')

const Node = shape('Node', '', [response('NodeInspect'), response('NodeList', '[]')])
export const NodeDescription = below(Node, 'Description', 'Hostname')
export const NodeStatus = below(Node, 'Status', 'State Message')
export const NodeResources = below(NodeDescription, 'Resources', 'NanoCPUs MemoryBytes')

export const SwarmSpec = shape('Swarm.Spec', 'Name Labels Orchestration Raft Dispatcher CAConfig TaskDefaults', [
  request('SwarmInit', 'Spec'),
  request('SwarmUpdate'),
  response('SwarmInspect', 'Spec'),
  response('SystemInfo', 'Swarm.Cluster.Spec'),
])
export const SwarmCA = below(SwarmSpec, 'CAConfig', 'NodeCertExpiry ExternalCAs')
export const ExternalCA = below(SwarmCA, 'ExternalCAs.[]', 'Protocol URL Options')
export const SwarmInitRequest = shape('SwarmInit', 'ListenAddr AdvertiseAddr ForceNewCluster Spec', [
  request('SwarmInit'),
])
export const SwarmJoinRequest = shape('SwarmJoin', 'ListenAddr AdvertiseAddr RemoteAddrs JoinToken', [
  request('SwarmJoin'),
])
export const SwarmInspection = shape('Swarm', 'ID', [response('SwarmInspect'), response('SystemInfo', 'Swarm.Cluster')])

/** The swarm in info. */
export const SwarmInfo = shape('Info.Swarm', 'NodeID', [response('SystemInfo', 'Swarm')])
