import type { Shape } from '../../src/api/shapes/shape.ts'
import { HostConfig, Info, InfoRuntime, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, retyped } from '../../src/translate/ops.ts'

/** `HostConfig` in a list. */
const ListHostConfig: Shape = {
  name: 'HostConfig',
  members: [],
  places: [
    { operation: 'ContainerList', side: 'response', path: '[].HostConfig' },
    { operation: 'ContainerListPs', side: 'response', path: '[].HostConfig' },
    { operation: 'SystemDataUsage', side: 'response', path: 'Containers.[].HostConfig' },
  ],
}

export default [
  {
    id: '1.44/info-runtimes-status',
    gate: 'release',
    summary: 'Info says what each runtime can do and where devices are specified.',
    see: 'docs/api/version-history.md v1.44; recordings 28.5 at 1.41 (no status, CDISpecDirs) and 28.5-min1.44, info',
    ops: [
      added(InfoRuntime, 'status', { sample: { a: 'b' }, onLoss: 'ignore' }),
      added(Info, 'CDISpecDirs', { sample: ['/etc/cdi'], up: [], onLoss: 'ignore' }),
    ],
  },
  {
    id: '1.44/network-mode-default-name',
    gate: 'release',
    from: '1.45', // engine 26.0
    summary: 'A container that did not choose its network shows bridge; before, default.',
    see: 'container_routes.go:postContainersCreate @v25.0.0, @v26.1.5; recordings 20.10 and 28.5, inspect-nohc',
    // Who chose bridge by name cannot be told from who did not choose: the two mean the same.
    ops: [HostConfig, ListHostConfig].map((shape) =>
      retyped(shape, 'NetworkMode', {
        samples: [['default', 'bridge']],
        sides: 'response',
        toOlder: [['bridge', 'default']],
        toNewer: (value, _object, { engine }) =>
          engine.os !== 'windows' && (value === 'default' || value === '') ? 'bridge' : undefined,
        words: `${shape.name}.NetworkMode: the default network has another name`,
      }),
    ),
    examples: {
      'ContainerList responseUp': [
        [{ body: [{ HostConfig: { NetworkMode: 'default' } }] }, { body: [{ HostConfig: { NetworkMode: 'bridge' } }] }],
      ],
    },
  },
  {
    id: '1.44/restart-policy-name',
    gate: 'release',
    summary: 'A container without restart policy shows no; before, an empty name.',
    see: 'daemon/create.go @v25.0.0; recordings 1.6.2 … 20.10 (""), 28.5 ("no"), inspect',
    ops: [
      retyped(RestartPolicy, 'Name', {
        sides: 'response',
        toOlder: [['no', '']],
        toNewer: [['', 'no']],
        words: 'HostConfig.RestartPolicy.Name: none has another name',
      }),
    ],
  },
] satisfies Change[]
