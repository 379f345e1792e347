import { objectOf, stringOf } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, SwarmFileSpec } from '../src/api/shapes/shapes.ts'
import { ServicePort, TaskStatus } from '../src/api/shapes/swarm-shapes.ts'
import { added, type Changes, filled, refusedWhere } from '../src/translate/ops.ts'

const PORTS = [
  [ContainerConfig, 'ExposedPorts'],
  [HostConfig, 'PortBindings'],
] as const

export default {
  '1.37/sctp': {
    summary: 'Ports can use SCTP; before, the container failed to start, and a service got TCP.',
    see: 'docs/api/version-history.md v1.37; daemon/cluster/convert/service.go:convertSpecToGRPC @v18.02.0',
    ops: [
      ...PORTS.map(([shape, member]) =>
        refusedWhere(onlyIn(shape, 'ContainerCreate'), `SCTP ports in ${member}`, {
          finds: (object) => {
            const port = Object.keys(objectOf(object[member])).find((name) => name.toLowerCase().endsWith('/sctp'))
            return port === undefined ? undefined : `port ${port}`
          },
          samples: [[{ [member]: { '80/tcp': {}, '90/sctp': {} } }, 'port 90/sctp']],
          stay: [{ [member]: { '80/tcp': {} } }],
        }),
      ),
      refusedWhere(ServicePort, 'SCTP ports', {
        finds: ({ Protocol: protocol }) => (stringOf(protocol).toLowerCase() === 'sctp' ? 'protocol sctp' : undefined),
        samples: [[{ Protocol: 'SCTP' }, 'protocol sctp']],
        stay: [{ Protocol: 'udp' }],
      }),
    ],
  },
  '1.37/task-container-status': {
    summary: 'A task without a container has no ContainerStatus.',
    see: 'api/types/swarm/task.go:TaskStatus @v18.02.0, @v18.05.0 (not in the documents)',
    ops: filled(TaskStatus, 'ContainerStatus', {}),
  },
  '1.37/templating': {
    gate: 'prefix',
    summary: 'Configs and secrets can be templates.',
    see: 'docs/api/version-history.md v1.37; swarm/cluster_routes.go',
    ops: added(SwarmFileSpec, 'Templating', { sample: { Name: 'golang' }, onLoss: 'refuse' }),
  },
} satisfies Changes
