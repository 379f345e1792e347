import { onlyIn } from '../../src/api/shapes/shape.ts'
import {
  NodeStatus,
  Service,
  ServiceAnswer,
  ServiceMount,
  ServicePort,
  ServiceSpec,
  SwarmSpec,
  Task,
  TaskContainerSpec,
  TaskNetworkSpec,
  TaskSpec,
  TaskStatus,
  UpdatePolicy,
} from '../../src/api/shapes/swarm-shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, moved } from '../../src/translate/ops.ts'
import { swarmMembers } from '../by-hand/swarm-members.ts'

export default {
  '1.25/service-networks': {
    summary: 'The networks of a service are in its task template, and its tasks show them.',
    see: 'docs/api/v1.25.yaml, ServiceSpec; api/types/swarm/task.go @v1.12.6, @v1.13.0; daemon/cluster/convert/service.go @v28.3.0',
    ops: [
      moved(ServiceSpec, 'Networks', 'TaskTemplate.Networks'),
      added(onlyIn(TaskSpec, 'TaskInspect', 'TaskList'), 'Networks', { sample: [{ Target: 'n' }], onLoss: 'ignore' }),
    ],
  },
  '1.25/swarm-members': swarmMembers({
    summary:
      'Containers of services can have secrets, groups, hosts, DNS settings, a terminal and a health check; updates can be monitored or forced.',
    see: 'docs/api/version-history.md v1.25; docs/api/v1.27.yaml, TaskSpec (described two versions late); api/types/swarm @v1.12.6, @v1.13.0',
    members: [
      { of: TaskContainerSpec, name: 'Hostname', sample: 'web' },
      { of: TaskContainerSpec, name: 'Groups', sample: ['docker'] },
      { of: TaskContainerSpec, name: 'OpenStdin', sample: true },
      { of: TaskContainerSpec, name: 'TTY', sample: true },
      { of: TaskContainerSpec, name: 'Hosts', sample: ['1.1.1.1 a'] },
      { of: TaskContainerSpec, name: 'Secrets', sample: [{ SecretName: 's' }] },
      { of: TaskContainerSpec, name: 'DNSConfig', sample: { Nameservers: ['1.1.1.1'] } },
      { of: TaskContainerSpec, name: 'Healthcheck', sample: { Test: ['NONE'] } },
      { of: ServicePort, name: 'PublishMode', sample: 'host', neutral: 'ingress' },
      { of: TaskSpec, name: 'ForceUpdate', sample: 1 },
      { of: UpdatePolicy, name: 'Monitor', sample: 5000000000 },
      { of: UpdatePolicy, name: 'MaxFailureRatio', sample: 0.5 },
      { of: SwarmSpec, name: 'EncryptionConfig', sample: { AutoLockManagers: true } },
      { of: ServiceAnswer, name: 'Warnings', sample: ['w'] },
      { of: NodeStatus, name: 'Addr', sample: '1.1.1.1' },
      { of: Service, name: 'PreviousSpec', sample: { Name: 's' } },
      { of: Task, name: 'Name', sample: 't' },
      { of: Task, name: 'Labels', sample: { a: 'b' } },
      { of: TaskStatus, name: 'PortStatus', sample: { Ports: [{ TargetPort: 80 }] }, up: {} },
      { of: TaskNetworkSpec, name: 'Attachable', sample: true },
      { of: ServiceMount, name: 'TmpfsOptions', sample: { SizeBytes: 1048576 } },
    ],
  }),
} satisfies Changes
