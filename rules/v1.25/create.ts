import { isUnset } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig, MountPoint, RestartPolicy, UpdateConfig } from '../../src/api/shapes/shapes.ts'
import { added, addedAll, type Changes, headRetyped, only, retyped } from '../../src/translate/ops.ts'
import { CreateBody } from '../by-hand/places.ts'
import { mountsAsBinds } from './host-mounts.ts'
import { nanoCpusAsQuota } from './nano-cpus.ts'

const STOPS = ['ContainerStop', 'ContainerRestart'] as const

/** 1.21/unless-stopped handles `unless-stopped` of older clients. */
const RESTART_POLICIES = ['', 'no', 'always', 'on-failure', 'unless-stopped']

export default {
  '1.25/stop-without-t': {
    summary: 'A stop without `t` takes the container’s own time, by default 10 seconds; before, it killed at once.',
    see: 'version-history.md v1.25; container_routes.go:postContainersStop @v1.12.6, @v1.13.0; recordings stop-bad-t',
    // Without t, engines up to 1.12 killed at once. The bridge does not restore that: CLIs and docker-py always send t, so
    // it would only affect hand-written clients, and losing unsaved work is worse than a slower stop. An invalid t meant 0
    // and is an error now: it is removed for the same reason.
    ops: [
      headRetyped(STOPS, 'query t', {
        samples: [['other', null], ['3'], ['-1']],
        toNewer: (time) => (/^[+-]?\d+$/.test(time) ? undefined : null),
        description: 'a t that is not a number is left out',
      }),
      headRetyped(STOPS, 'query t', { toOlder: '10', ifMissing: true }),
    ],
  },
  '1.25/stop-timeout': {
    summary: 'A container can have a stop timeout.',
    see: 'version-history.md v1.25; container_routes.go:postContainersStop @v1.12.6, @v1.13.0',
    ops: only(
      { legs: ['requestDown'] },
      added(CreateBody, 'StopTimeout', { sample: 60, saysByBeing: true, neutral: [10], onLoss: 'warn' }),
    ),
  },
  '1.25/host-mounts': {
    summary: 'Mounts of a container can be given as objects.',
    see: 'version-history.md v1.25; api/types/mount @v1.13.0',
    ops: added(HostConfig, 'Mounts', {
      sample: [{ Type: 'bind', Source: '/a', Target: '/b' }],
      onLoss: 'refuse',
      convert: mountsAsBinds,
    }),
    examples: {
      'ContainerCreate requestDown body': [
        [
          {
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
          {
            HostConfig: {
              Binds: ['/x:/y', '/a:/b:ro,rslave', 'v:/c:nocopy'],
              Tmpfs: { '/e': 'size=1048576,mode=777' },
            },
            Volumes: { '/d': {} },
          },
        ],
      ],
      'ContainerCreate requestDown body.HostConfig.Mounts.[]': [
        { Type: 'volume', Source: 'v', Target: '/c', VolumeOptions: { Labels: { a: 'b' } } },
        { Type: 'volume', Target: '/c', ReadOnly: true },
        { Type: 'bind', Source: '/a:b', Target: '/c' },
        { Type: 'npipe', Source: 'a', Target: 'b' },
      ].map((mount) => [mount, /HostConfig\.Mounts .* needs API 1\.25/]),
    },
  },
  '1.25/mountpoint-type': {
    summary: 'A mount shows its type.',
    see: 'api/types/types.go:MountPoint @v1.13.0',
    ops: added(MountPoint, 'Type', {
      sample: 'bind',
      up: ({ Name: name }) => (isUnset(name) ? 'bind' : 'volume'),
      upSamples: [
        [{}, 'bind'],
        [{ Name: 'v' }, 'volume'],
      ],
    }),
  },
  '1.25/hostconfig-new': {
    summary: 'A container can have a number of CPUs, real-time CPU shares and an init process.',
    see: 'version-history.md v1.25; api/types/container/host_config.go @v1.13.0',
    ops: [
      ...[HostConfig, UpdateConfig].flatMap((shape) => [
        added(shape, 'NanoCpus', { sample: 1.5e9, up: 0, convert: nanoCpusAsQuota, onLoss: 'refuse', request: 'keep' }),
        ...addedAll(shape, ['CpuRealtimePeriod', 'CpuRealtimeRuntime'], { sample: 1, up: 0, onLoss: 'refuse' }),
      ]),
      ...addedAll(HostConfig, ['Init', 'InitPath'], { sample: true, onLoss: 'warn' }),
    ],
    examples: {
      'ContainerCreate requestDown body.HostConfig': [
        [
          { NanoCpus: 1500000000, CpuRealtimePeriod: 0, Init: true },
          { CpuPeriod: 100000, CpuQuota: 150000 },
          { losses: ['HostConfig.Init'] },
        ],
        [{ NanoCpus: 1.5e9, CpuQuota: 5000 }, /^Conflicting options: Nano CPUs and CPU Quota cannot both be set\.$/],
        [{ NanoCpus: 1500000000 }, /HostConfig\.NanoCpus/, { engine: '1.18' }],
      ],
    },
  },
  '1.25/restart-policy-validated': {
    summary: 'A restart policy is checked; before, an unknown one meant no restart and its count was ignored.',
    see: 'version-history.md v1.25; daemon/container.go:verifyContainerSettings @v1.13.0; recordings create-restart-bad',
    ops: [
      retyped(onSide(RestartPolicy, 'request'), 'MaximumRetryCount', {
        samples: [
          [3, 0],
          [-1, 0],
          [3, 3, { with: { Name: 'on-failure' } }],
        ],
        toNewer: (value, { Name }) => (Name === 'on-failure' || isUnset(value) ? undefined : 0),
      }),
      retyped(onSide(RestartPolicy, 'request'), 'Name', {
        samples: [['bogus', '']],
        toNewer: (value, policy, context) => {
          // A failure count is never below a negative maximum: such a policy never restarted.
          const never = value === 'on-failure' && Number(policy['MaximumRetryCount'] ?? 0) < 0
          if (RESTART_POLICIES.includes(String(value)) && !never) return undefined
          if (never) policy['MaximumRetryCount'] = 0
          context.ignore(`HostConfig.RestartPolicy ${value}`, '1.25/restart-policy-validated')
          return context.operation === 'ContainerUpdate' ? 'no' : '' // in an update '' means unchanged
        },
      }),
    ],
    examples: { 'ContainerUpdate requestUp body.RestartPolicy.Name': [['bogus', 'no']] },
  },
} satisfies Changes
