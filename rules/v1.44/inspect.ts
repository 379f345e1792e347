import { HostConfig, Info, InfoRuntime, ListedHostConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, retyped } from '../../src/translate/ops.ts'

/** Engine 1.8. */
const DEFAULT_FROM = apiVersion(20)

export default [
  {
    id: '1.44/info-runtimes-status',
    gate: 'release',
    summary: 'Info says what each runtime can do and where devices are specified.',
    see: 'docs/api/version-history.md v1.44; recordings 28.5 at 1.41 (no status, CDISpecDirs) and 28.5-min1.44, info',
    ops: [added(InfoRuntime, 'status', { onLoss: 'ignore' }), added(Info, 'CDISpecDirs', { up: [], onLoss: 'ignore' })],
    examples: {
      'SystemInfo responseDown body': [
        [
          { CDISpecDirs: ['/etc/cdi'], Runtimes: { runc: { path: 'runc', status: {} } } },
          { Runtimes: { runc: { path: 'runc' } } },
        ],
      ],
      'SystemInfo responseUp body': [
        [{ Runtimes: { runc: { path: 'runc' } } }, { Runtimes: { runc: { path: 'runc' } }, CDISpecDirs: [] }],
      ],
    },
  },
  {
    id: '1.44/network-mode-default-name',
    gate: 'release',
    from: '1.45', // engine 26.0
    summary: 'A container that did not choose its network shows bridge; before, default.',
    see: 'container_routes.go:postContainersCreate @v25.0.0, @v26.1.5; recordings 20.10 and 28.5, inspect-nohc',
    // Who chose bridge by name cannot be told from who did not choose: shown is what the command lines of the client's age send,
    // bridge up to 1.7 and default from 1.8 on (runconfig/parse.go:flNetMode).
    ops: [HostConfig, ListedHostConfig].map((shape) =>
      retyped(shape, 'NetworkMode', {
        sides: 'response',
        toOlder: (value, _object, { client }) => (value === 'bridge' && client >= DEFAULT_FROM ? 'default' : undefined),
        toNewer: (value, _object, { engine }) =>
          engine.os !== 'windows' && (value === 'default' || value === '') ? 'bridge' : undefined,
        words: `${shape.name}.NetworkMode: the default network has another name`,
      }),
    ),
    examples: {
      'ContainerInspect responseDown body.HostConfig.NetworkMode': [
        ['bridge', 'default'],
        ['bridge', 'bridge', { client: '1.19' }],
      ],
      'ContainerList responseDown body': [
        [
          [{ HostConfig: { NetworkMode: 'bridge' } }, { HostConfig: { NetworkMode: 'host' } }],
          [{ HostConfig: { NetworkMode: 'default' } }, { HostConfig: { NetworkMode: 'host' } }],
        ],
      ],
      'ContainerList responseUp body.[].HostConfig.NetworkMode': [['default', 'bridge']],
    },
  },
  {
    id: '1.44/restart-policy-name',
    gate: 'release',
    summary:
      'A container without restart policy shows no; before, what was asked for: no by command lines, an empty name by others.',
    // Which of the two an older client had sent cannot be told any more; command lines of all ages send no.
    see: 'daemon/create.go @v25.0.0; recordings 1.6.2 … 20.10 (""), 28.5 ("no"), inspect',
    ops: [
      retyped(RestartPolicy, 'Name', {
        sides: 'response',
        toNewer: (value) => (value === '' ? 'no' : undefined),
        words: 'HostConfig.RestartPolicy.Name: none has another name',
      }),
    ],
    examples: {
      'ContainerInspect responseUp body.HostConfig.RestartPolicy': [
        [
          { Name: '', MaximumRetryCount: 0 },
          { Name: 'no', MaximumRetryCount: 0 },
        ],
      ],
    },
  },
] satisfies Change[]
