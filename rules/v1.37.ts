import { isObject, type JsonValue } from '../src/api/json/json.ts'
import { SwarmFileSpec } from '../src/api/shapes/shapes.ts'
import type { BoundChange, Change } from '../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../src/translate/message.ts'
import { added, byHand } from '../src/translate/ops.ts'

const isSctp = (port: string): boolean => port.toLowerCase().endsWith('/sctp')

const keysOf = (value: JsonValue | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

function refuseSctp({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  if (!isObject(body)) return
  const hostConfig = isObject(body['HostConfig']) ? body['HostConfig'] : {}
  const port = [...keysOf(body['ExposedPorts']), ...keysOf(hostConfig['PortBindings'])].find(isSctp)
  if (port === undefined) return
  context.lose({ what: `port ${port}`, needs: change.version, change: change.id, onLoss: 'refuse' })
}

export default [
  {
    id: '1.37/sctp',
    gate: 'release',
    summary: 'Ports may be of the protocol SCTP; before, the container failed to start.',
    see: 'docs/api/version-history.md v1.37',
    ops: [
      byHand('ContainerCreate', 'an older engine cannot publish SCTP', { onLoss: 'refuse', requestDown: refuseSctp }),
    ],
    examples: {
      'ContainerCreate requestDown': [
        [
          { body: { ExposedPorts: { '80/tcp': {} }, HostConfig: { PortBindings: { '90/sctp': [] } } } },
          /port 90\/sctp .* needs API 1\.37/,
        ],
        [{ body: { ExposedPorts: { '80/tcp': {} } } }, { body: { ExposedPorts: { '80/tcp': {} } } }],
      ],
    },
  },
  {
    id: '1.37/templating',
    gate: 'prefix',
    summary: 'Configs and secrets may be templates.',
    see: 'docs/api/version-history.md v1.37; swarm/cluster_routes.go',
    ops: [added(SwarmFileSpec, 'Templating', { sample: { Name: 'golang' }, onLoss: 'refuse' })],
  },
] satisfies Change[]
