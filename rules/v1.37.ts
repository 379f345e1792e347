import { isObject, type JsonValue } from '../src/api/json/json.ts'
import { onlyIn } from '../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, SwarmFileSpec } from '../src/api/shapes/shapes.ts'
import { added, type Changes, refusedWhere } from '../src/translate/ops.ts'

const isSctp = (port: string): boolean => port.toLowerCase().endsWith('/sctp')

const keysOf = (value: JsonValue | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

const firstSctp = (ports: JsonValue | undefined): string | undefined => {
  const port = keysOf(ports).find(isSctp)
  return port === undefined ? undefined : `port ${port}`
}

export default {
  '1.37/sctp': {
    summary: 'Ports can use SCTP; before, the container failed to start.',
    see: 'docs/api/version-history.md v1.37',
    ops: [
      refusedWhere(onlyIn(ContainerConfig, 'ContainerCreate'), 'exposed SCTP ports', {
        finds: ({ ExposedPorts: ports }) => firstSctp(ports),
        samples: [[{ ExposedPorts: { '80/tcp': {}, '90/sctp': {} } }, 'port 90/sctp']],
        stay: [{ ExposedPorts: { '80/tcp': {} } }],
      }),
      refusedWhere(onlyIn(HostConfig, 'ContainerCreate'), 'published SCTP ports', {
        finds: ({ PortBindings: ports }) => firstSctp(ports),
        samples: [[{ PortBindings: { '90/sctp': [] } }, 'port 90/sctp']],
      }),
    ],
  },
  '1.37/templating': {
    gate: 'prefix',
    summary: 'Configs and secrets can be templates.',
    see: 'docs/api/version-history.md v1.37; swarm/cluster_routes.go',
    ops: added(SwarmFileSpec, 'Templating', { sample: { Name: 'golang' }, onLoss: 'refuse' }),
  },
} satisfies Changes
