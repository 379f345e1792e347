import { ProxyError } from '../../src/api/errors.ts'
import { integer, type JsonValue } from '../../src/api/json/json.ts'
import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig } from '../../src/api/shapes/shapes.ts'
import { added, type Changes, retyped } from '../../src/translate/ops.ts'

const CreateBody = onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request')

/** Refuses a weight out of range as engines do (daemon/daemon_unix.go:verifyContainerSettings @v1.7.1). */
function blkioInRange(value: JsonValue): false {
  const weight = integer(value)
  if (weight !== undefined && (weight < 10n || weight > 1000n))
    throw new ProxyError('validation', 'Range of blkio weight is from 10 to 1000')
  return false
}

/** Clamps to the kernel's limits as engines do (daemon/daemon_unix.go:adjustCPUShares @v1.7.1). */
function clamped(value: JsonValue): JsonValue | undefined {
  const shares = integer(value) ?? 0n
  if (shares === 1n) return 2
  return shares > 262144n ? 262144 : undefined
}

export default {
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
    ops: added(HostConfig, 'BlkioWeight', { sample: 300, up: 0, onLoss: 'warn', convert: blkioInRange }),
    examples: {
      'ContainerCreate requestDown body.HostConfig': [
        [{ BlkioWeight: 300 }, {}, { losses: ['HostConfig.BlkioWeight'] }],
        [{ BlkioWeight: 5 }, /^Range of blkio weight is from 10 to 1000$/],
      ],
    },
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
    ops: [CreateBody, onSide(HostConfig, 'request')].map((shape) =>
      retyped(shape, 'CpuShares', {
        samples: {
          toNewer: [
            [1, 2],
            [300000, 262144],
            [0, 0],
          ],
        },
        toNewer: clamped,
        sides: 'request',
      }),
    ),
  },
} satisfies Changes
