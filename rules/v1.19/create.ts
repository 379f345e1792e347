import { integer, isUnset, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import { added, byHand, type Changes, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { unknownBindMode } from '../by-hand/binds.ts'
import { gatherTopLevel } from '../by-hand/host-config-members.ts'
import { AskedHostConfig, CreateBody } from '../by-hand/places.ts'
import { emptyForNonsense, typed } from './loose-types.ts'

const SYSLOG_ADDRESS = 'HostConfig.LogConfig.Config.syslog-address'

const isRelative = (directory: unknown): directory is string =>
  typeof directory === 'string' && directory !== '' && !directory.startsWith('/')

/** As engines check it (daemon/daemon_unix.go:verifyContainerSettings @v1.7.1). */
const WEIGHTS = 'Range of blkio weight is from 10 to 1000'
const isOutOfRange = (weight: bigint): boolean => weight !== 0n && (weight < 10n || weight > 1000n)

/** Clamps to the kernel's limits as engines do (daemon/daemon_unix.go:adjustCPUShares @v1.7.1). */
function clamped(value: JsonValue): JsonValue | undefined {
  const shares = integer(value) ?? 0n
  if (shares === 1n) return 2
  return shares > 262144n ? 262144 : undefined
}

export default {
  '1.19/create-start-body-typing': {
    summary: 'Bodies are strictly typed; before, 1 and "yes" were booleans, and a scalar was accepted as a list.',
    see: 'engine/env.go, runconfig/config.go:ContainerConfigFromJob @v1.6.2; recordings of 1.6.2, created-type-*',
    ops: [
      byHand(
        ['ContainerCreate', 'ContainerStart', 'ContainerExec', 'ExecStart', 'ImageCommit'],
        'values get the types that 1.6 read',
        { requestUp: typed },
      ),
      byHand(['ImageCommit', 'SystemAuth'], 'a body that is not JSON counts as empty', { requestUp: emptyForNonsense }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { Tty: 'yes', StdinOnce: 0, Env: 'A=b', Cmd: 5, Memory: '4194304', Labels: ['a=b'], ExposedPorts: null },
          { Tty: true, StdinOnce: false, Env: ['A=b'], Cmd: ['5'], Memory: 4194304, Labels: null, ExposedPorts: null },
        ],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [{ Binds: '/a:/b', CapAdd: 'NET_ADMIN', CapDrop: 'ALL', Privileged: 'true' }, { CapDrop: ['ALL'] }],
        [{ Memory: '1g' }],
      ],
      'ContainerStart requestUp body.Binds': [['/a:/b', ['/a:/b']]],
      'ExecStart requestUp body.Detach': [['0', false]],
      'SystemAuth requestUp': [[{}, { body: {} }]],
    },
  },
  '1.19/create-legacy-top-level': {
    summary: 'Limits are in HostConfig; before, Memory, MemorySwap, CpuShares and Cpuset were at the top of create.',
    see: 'runconfig/config.go:ContainerHostConfigFromJob @v1.6.2; runconfig/config_unix.go:getHostConfig @v1.7.1 … v26.1.5',
    // The documents of 1.18 name this place; for later clients see rules/by-hand/host-config-members.ts.
    ops: byHand('ContainerCreate', 'top-level members of HostConfig move into it', { requestUp: gatherTopLevel }),
    examples: {
      'ContainerCreate requestUp body': [
        [
          { VolumeDriver: 'local', CapDrop: ['ALL'] },
          { VolumeDriver: 'local', HostConfig: { CapDrop: ['ALL'] } },
        ],
      ],
    },
  },
  '1.19/log-syslog-address': {
    summary: 'The syslog driver can send to an address.',
    see: 'docs/reference/logging @v1.7.1; daemon/logger/syslog/syslog.go @v1.6.2 (reads no option), @v1.7.1',
    // Without it the logs would go elsewhere.
    ops: refusedWhere(LogConfig, 'an address for syslog', {
      finds: ({ Type: type, Config: options }) =>
        type === 'syslog' && !isUnset(memberAt(options, 'syslog-address')) ? SYSLOG_ADDRESS : undefined,
      samples: [[{ Type: 'syslog', Config: { 'syslog-address': 'udp://192.0.2.1:514' } }, SYSLOG_ADDRESS]],
      stay: [{ Type: 'syslog', Config: {} }],
    }),
  },
  '1.19/config-onbuild': {
    summary: 'OnBuild of a create body is kept and shown.',
    see: 'recordings of 1.6.2 and 1.7.1, inspect-big',
    // It has no effect on a container. Image inspect always had it.
    ops: added(onlyIn(ContainerConfig, 'ContainerCreate', 'ContainerInspect'), 'OnBuild', {
      sample: ['RUN true'],
      up: null,
      down: 'keep',
      onLoss: 'ignore',
    }),
  },
  '1.19/bind-mode-validated': {
    summary: 'An unknown mode of a bind is an error; before, any word was accepted.',
    see: 'recordings of 1.6.2 and 1.7.1, create-bind-bad',
    ops: refusedWhere(HostConfig, 'an unknown mode of a bind', {
      finds: unknownBindMode,
      says: 'validation',
      words: (mode) => `invalid mode: ${mode}`,
      samples: [[{ Binds: ['/a:/b:ro', '/c:/d:zz'] }, 'zz']],
      stay: [{ Binds: ['/a:/b', '/a:/c:ro'] }],
    }),
  },
  '1.19/workdir-validated': {
    summary: 'A working directory must be absolute; before, a relative path started at the root.',
    see: 'recordings of 1.6.2 and 1.7.1, create-workdir-rel, started-workdir-rel',
    ops: [
      retyped(CreateBody, 'WorkingDir', {
        samples: [['srv/app', '/srv/app']],
        toNewer: (directory) => (isRelative(directory) ? `/${directory}` : undefined),
      }),
      refusedWhere(CreateBody, 'a relative working directory', {
        finds: ({ WorkingDir: directory }) => (isRelative(directory) ? directory : undefined),
        says: 'validation',
        words: (directory) => `The working directory '${directory}' is invalid. It needs to be an absolute path.`,
        samples: [[{ WorkingDir: 'srv/app' }, 'srv/app']],
      }),
    ],
  },
  '1.19/hostconfig-cpu-period-quota': {
    summary: 'CFS period and quota of a container can be set.',
    see: 'docs/api/v1.19.md, Create a container',
    ops: [
      added(HostConfig, 'CpuPeriod', { sample: 1, up: 0, onLoss: 'refuse', request: 'keep' }),
      added(HostConfig, 'CpuQuota', { sample: 50000, up: 0, onLoss: 'refuse', request: 'keep' }),
    ],
  },
  '1.19/hostconfig-cpuset-mems': {
    summary: 'A container can be bound to memory nodes.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: added(HostConfig, 'CpusetMems', { sample: '0', up: '', onLoss: 'refuse', request: 'keep' }),
  },
  '1.19/hostconfig-blkio-weight': {
    summary: 'A container can have a weight for block I/O.',
    see: 'docs/api/v1.19.md, Create a container; daemon/daemon_unix.go @v1.7.1; recording 1.7.1 at 1.19, create-blkio',
    // A relative weight, not a limit: a host without support answers 201 with a warning (recording 1.9.1 at 1.21, create-blkio).
    ops: [
      added(HostConfig, 'BlkioWeight', { sample: 300, up: 0, onLoss: 'warn' }),
      // On requestDown the last op runs first.
      refusedWhere(HostConfig, 'a weight out of range', {
        finds: ({ BlkioWeight: weight }) => (isOutOfRange(integer(weight) ?? 0n) ? WEIGHTS : undefined),
        says: 'validation',
        samples: [[{ BlkioWeight: 5 }, WEIGHTS]],
      }),
    ],
  },
  '1.19/hostconfig-oom-kill-disable': {
    summary: 'The out-of-memory killer can be disabled for a container.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: added(HostConfig, 'OomKillDisable', { sample: true, up: false, onLoss: 'warn' }),
  },
  '1.19/hostconfig-uts-mode': {
    summary: 'A container can share the host’s UTS namespace.',
    see: 'runconfig/hostconfig.go @v1.7.1 (no document has it); recording 1.7.1 at 1.19, create-uts-bad',
    ops: added(HostConfig, 'UTSMode', { sample: 'host', up: '', onLoss: 'refuse' }),
  },
  '1.19/cpu-shares-clamp': {
    // Engines 1.7 to 25 do it for clients below 1.19; 26 dropped these versions.
    gate: 'prefix',
    summary: 'CPU shares are used unchanged; before, they were silently clamped to the kernel’s limits.',
    see: 'daemon/daemon_unix.go:adaptContainerSettings(adjustCPUShares) @v1.7.1 … v25; seen on 1.7, 1.9, 1.10, 20.10',
    ops: [CreateBody, AskedHostConfig].map((shape) =>
      retyped(shape, 'CpuShares', { samples: [[1, 2], [300000, 262144], [0]], toNewer: clamped }),
    ),
  },
} satisfies Changes
