import { isObject, isUnset } from '../../src/api/json/json.ts'
import { HostConfig, MountPoint, RestartPolicy, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand, retyped } from '../../src/translate/ops.ts'
import { mountsAsBinds } from '../by-hand/host-mounts.ts'
import { nanoCpusAsQuota } from '../by-hand/nano-cpus.ts'

/** An `unless-stopped` from before 1.21 is a matter of 1.21/unless-stopped. */
const RESTART_POLICIES = ['', 'no', 'always', 'on-failure', 'unless-stopped']

export default [
  {
    id: '1.25/stop-timeout',
    gate: 'release',
    summary:
      'A container has its own time to stop in, 10 seconds when nothing is said; before, nothing said meant none.',
    see: 'version-history.md v1.25; container_routes.go:postContainersStop @v1.12.6, @v1.13.0; recordings stop-bad-t',
    // Without t, engines up to 1.12 killed at once. That is not brought back: command lines and docker-py always send t,
    // so it would strike only hand-written clients, and losing a container's unsaved work is worse than a slower stop.
    // A t that is no number meant 0 and is an error now: it is left out for the same reason.
    ops: [
      byHand(['ContainerStop', 'ContainerRestart'], 't that is no number is left out; without t, ten seconds', {
        part: 'head',
        requestUp: ({ query }) => {
          if (query.has('t') && !/^[+-]?\d+$/.test(query.get('t') ?? '')) query.delete('t')
        },
        requestDown: ({ query }) => {
          if ((query.get('t') ?? '') === '') query.set('t', '10')
        },
      }),
      byHand('ContainerCreate', 'a time of its own is lost', {
        onLoss: 'warn',
        loses: 'StopTimeout',
        requestDown: ({ body }, context, { id, version }) => {
          if (!isObject(body) || body['StopTimeout'] === undefined) return
          const timeout = body['StopTimeout']
          delete body['StopTimeout']
          if (timeout !== null && timeout !== 10)
            context.lose({ what: 'StopTimeout', needs: version, change: id, onLoss: 'warn' })
        },
      }),
    ],
    examples: [
      { on: 'ContainerStop', leg: 'requestUp', before: { query: '' }, after: { query: '' } },
      { on: 'ContainerStop', leg: 'requestUp', before: { query: 't=x' }, after: { query: '' } },
      { on: 'ContainerStop', leg: 'requestUp', before: { query: 't=3' }, after: { query: 't=3' } },
      { on: 'ContainerRestart', leg: 'requestUp', before: { query: 't=-1' }, after: { query: 't=-1' } },
      { on: 'ContainerRestart', leg: 'requestDown', before: { query: '' }, after: { query: 't=10' } },
      { on: 'ContainerStop', leg: 'requestDown', before: { query: 't=0' }, after: { query: 't=0' } },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'a', StopTimeout: 60 } },
        after: { body: { Image: 'a' } },
        losses: ['StopTimeout'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { Image: 'a', StopTimeout: 10 } },
        after: { body: { Image: 'a' } },
        losses: [],
      },
    ],
  },
  {
    id: '1.25/host-mounts',
    gate: 'release',
    summary: 'Mounts of a container can be given as objects.',
    see: 'version-history.md v1.25; api/types/mount @v1.13.0',
    ops: [
      added(HostConfig, 'Mounts', { onLoss: 'refuse' }),
      // Steps down run from the last of a change to its first: what could be said otherwise is gone before `added` looks.
      byHand('ContainerCreate', 'mounts that Binds, Volumes or Tmpfs say exactly become those', {
        requestDown: mountsAsBinds,
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Mounts: [{ Type: 'bind', Source: '/a', Target: '/b' }] } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: {
          body: {
            HostConfig: {
              Binds: ['/x:/y'],
              Mounts: [
                { Type: 'bind', Source: '/a', Target: '/b', ReadOnly: true, BindOptions: { Propagation: 'rslave' } },
                { Type: 'volume', Source: 'v', Target: '/c', VolumeOptions: { NoCopy: true } },
                { Type: 'volume', Target: '/d' },
                { Type: 'tmpfs', Target: '/e', TmpfsOptions: { SizeBytes: 1048576, Mode: 511 } },
              ],
            },
          },
        },
        after: {
          body: {
            HostConfig: {
              Binds: ['/x:/y', '/a:/b:ro,rslave', 'v:/c:nocopy'],
              Tmpfs: { '/e': 'size=1048576,mode=777' },
            },
            Volumes: { '/d': {} },
          },
        },
      },
      ...[
        { Type: 'volume', Source: 'v', Target: '/c', VolumeOptions: { Labels: { a: 'b' } } },
        { Type: 'volume', Target: '/c', ReadOnly: true },
        { Type: 'bind', Source: '/a:b', Target: '/c' },
        { Type: 'npipe', Source: 'a', Target: 'b' },
      ].map((mount) => ({
        on: 'ContainerCreate' as const,
        leg: 'requestDown' as const,
        before: { body: { HostConfig: { Mounts: [mount] } } },
        after: { refused: /HostConfig\.Mounts .* needs API 1\.25/ },
      })),
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Mounts: [{ Type: 'tmpfs', Target: '/t' }] } } },
        after: { body: { HostConfig: {} } },
      },
    ],
  },
  {
    id: '1.25/mountpoint-type',
    gate: 'release',
    summary: 'A mount says of which type it is.',
    see: 'api/types/types.go:MountPoint @v1.13.0',
    ops: [added(MountPoint, 'Type', { up: ({ Name }) => (isUnset(Name) ? 'bind' : 'volume'), onLoss: 'ignore' })],
    examples: [
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { Mounts: [{ Type: 'bind', Source: '/a' }] } },
        after: { body: { Mounts: [{ Source: '/a' }] } },
      },
      {
        on: 'ContainerList',
        leg: 'responseUp',
        before: { body: [{ Mounts: [{ Source: '/a' }, { Name: 'v', Source: '/var' }] }] },
        after: {
          body: [
            {
              Mounts: [
                { Source: '/a', Type: 'bind' },
                { Name: 'v', Source: '/var', Type: 'volume' },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    id: '1.25/hostconfig-new',
    gate: 'release',
    summary: 'A container can be given a number of processors, real-time shares of them, and an init process.',
    see: 'version-history.md v1.25; api/types/container/host_config.go @v1.13.0',
    ops: [
      ...[HostConfig, UpdateConfig].flatMap((shape) => [
        added(shape, 'NanoCpus', { up: 0, convert: nanoCpusAsQuota, onLoss: 'refuse', request: 'keep' }),
        ...addedAll(shape, ['CpuRealtimePeriod', 'CpuRealtimeRuntime'], { up: 0, onLoss: 'refuse' }),
      ]),
      ...addedAll(HostConfig, ['Init', 'InitPath'], { onLoss: 'warn' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { NanoCpus: 500000000, Init: true } } },
        after: { body: { HostConfig: { NanoCpus: 500000000 } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { NanoCpus: 1500000000, CpuRealtimePeriod: 0, Init: true } } },
        after: { body: { HostConfig: { CpuPeriod: 100000, CpuQuota: 150000 } } },
        losses: ['HostConfig.Init'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { NanoCpus: 1500000000, CpuQuota: 5000 } } },
        after: { refused: /^Conflicting options: Nano CPUs and CPU Quota cannot both be set\.$/ },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        engine: '1.18',
        before: { body: { HostConfig: { NanoCpus: 1500000000 } } },
        after: { refused: /HostConfig\.NanoCpus/ },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestDown',
        before: { body: { CpuRealtimeRuntime: 5 } },
        after: { refused: /UpdateConfig\.CpuRealtimeRuntime/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { NanoCpus: 0, CpuRealtimePeriod: 0, CpuRealtimeRuntime: 0, Init: true } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: {} } },
        after: { body: { HostConfig: { NanoCpus: 0, CpuRealtimePeriod: 0, CpuRealtimeRuntime: 0 } } },
      },
    ],
  },
  {
    id: '1.25/restart-policy-validated',
    gate: 'release',
    summary: 'A restart policy is checked; before, an unknown one meant none and its count was ignored.',
    see: 'version-history.md v1.25; daemon/container.go:verifyContainerSettings @v1.13.0; recordings create-restart-bad',
    ops: [
      retyped(RestartPolicy, 'MaximumRetryCount', {
        toNewer: (value, { Name }) => (Name === 'on-failure' || isUnset(value) ? undefined : 0),
        sides: 'request',
      }),
      retyped(RestartPolicy, 'Name', {
        toNewer: (value, policy, context) => {
          // A failure count is never below a negative maximum: such a policy never restarted.
          const never = value === 'on-failure' && Number(policy['MaximumRetryCount'] ?? 0) < 0
          if (RESTART_POLICIES.includes(String(value)) && !never) return undefined
          if (never) policy['MaximumRetryCount'] = 0
          context.ignore(`HostConfig.RestartPolicy ${value}`, '1.25/restart-policy-validated')
          return context.operation === 'ContainerUpdate' ? 'no' : '' // '' leaves it as it is in an update
        },
        sides: 'request',
      }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 3 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'bogus', MaximumRetryCount: 3 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: '', MaximumRetryCount: 0 } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: -1 } } } },
        after: { body: { HostConfig: { RestartPolicy: { Name: '', MaximumRetryCount: 0 } } } },
      },
      {
        on: 'ContainerUpdate',
        leg: 'requestUp',
        before: { body: { RestartPolicy: { Name: 'bogus' } } },
        after: { body: { RestartPolicy: { Name: 'no' } } },
      },
    ],
  },
] satisfies Change[]
