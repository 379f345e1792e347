import { HostConfig, Info, InfoRuntime, ListedHostConfig, RestartPolicy } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, retyped } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.44/info-runtimes-status',
    gate: 'release',
    summary: 'Info says what each runtime can do and where devices are specified.',
    see: 'docs/api/version-history.md v1.44; recordings 28.5 at 1.41 (no status, CDISpecDirs) and 28.5-min1.44, info',
    ops: [added(InfoRuntime, 'status', { onLoss: 'ignore' }), added(Info, 'CDISpecDirs', { up: [], onLoss: 'ignore' })],
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { CDISpecDirs: ['/etc/cdi'], Runtimes: { runc: { path: 'runc', status: {} } } } },
        after: { body: { Runtimes: { runc: { path: 'runc' } } } },
      },
      {
        on: 'SystemInfo',
        leg: 'responseUp',
        before: { body: { Runtimes: { runc: { path: 'runc' } } } },
        after: { body: { Runtimes: { runc: { path: 'runc' } }, CDISpecDirs: [] } },
      },
    ],
  },
  {
    id: '1.44/network-mode-default-name',
    gate: 'release',
    from: '1.45', // engine 26.0
    summary: 'A container that did not choose its network shows bridge; before, default.',
    see: 'container_routes.go:postContainersCreate @v25.0.0, @v26.1.5; recordings 20.10 and 28.5, inspect-nohc',
    // Who chose bridge by name cannot be told from who did not choose: the two mean the same.
    ops: [HostConfig, ListedHostConfig].map((shape) =>
      retyped(shape, 'NetworkMode', {
        sides: 'response',
        toOlder: (value) => (value === 'bridge' ? 'default' : undefined),
        toNewer: (value, _object, { engine }) =>
          engine.os !== 'windows' && (value === 'default' || value === '') ? 'bridge' : undefined,
        words: `${shape.name}.NetworkMode: the default network has another name`,
      }),
    ),
    examples: [
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { NetworkMode: 'bridge' } } },
        after: { body: { HostConfig: { NetworkMode: 'default' } } },
      },
      {
        on: 'ContainerList',
        leg: 'responseDown',
        before: { body: [{ HostConfig: { NetworkMode: 'bridge' } }, { HostConfig: { NetworkMode: 'host' } }] },
        after: { body: [{ HostConfig: { NetworkMode: 'default' } }, { HostConfig: { NetworkMode: 'host' } }] },
      },
      {
        on: 'ContainerList',
        leg: 'responseUp',
        before: { body: [{ HostConfig: { NetworkMode: 'default' } }] },
        after: { body: [{ HostConfig: { NetworkMode: 'bridge' } }] },
      },
    ],
  },
  {
    id: '1.44/restart-policy-name',
    gate: 'release',
    summary: 'A container without restart policy shows no; before, an empty name.',
    see: 'daemon/create.go @v25.0.0; recordings 1.6.2 … 20.10 (""), 28.5 ("no"), inspect',
    ops: [
      retyped(RestartPolicy, 'Name', {
        sides: 'response',
        toOlder: (value) => (value === 'no' ? '' : undefined),
        toNewer: (value) => (value === '' ? 'no' : undefined),
        words: 'HostConfig.RestartPolicy.Name: none has another name',
      }),
    ],
    examples: [
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: '', MaximumRetryCount: 0 } } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { RestartPolicy: { Name: '', MaximumRetryCount: 0 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } } } },
      },
    ],
  },
] satisfies Change[]
