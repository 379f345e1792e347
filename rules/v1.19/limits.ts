import { ProxyError } from '../../src/api/errors.ts'
import { integer, isObject, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand } from '../../src/translate/ops.ts'

/** Refuses a weight out of range as engines do (daemon/daemon_unix.go:verifyContainerSettings @v1.7.1). */
function blkioInRange(value: JsonValue): false {
  const weight = integer(value)
  if (weight !== undefined && (weight < 10n || weight > 1000n))
    throw new ProxyError('validation', 'Range of blkio weight is from 10 to 1000')
  return false
}

/** Clamps to the kernel's limits as engines do (daemon/daemon_unix.go:adjustCPUShares @v1.7.1). */
function clampShares(object: JsonValue | undefined): void {
  if (!isObject(object)) return
  const shares = integer(object['CpuShares'])
  if (shares === undefined || shares <= 0n) return
  if (shares < 2n) object['CpuShares'] = 2
  if (shares > 262144n) object['CpuShares'] = 262144
}

const body = (hostConfig: JsonObject) => ({ body: { Image: 'busybox', HostConfig: hostConfig } })
export default [
  {
    id: '1.19/hostconfig-cpu-period-quota',
    gate: 'release',
    summary: 'CFS period and quota of a container can be set.',
    see: 'docs/api/v1.19.md, Create a container',
    ops: [
      added(HostConfig, 'CpuPeriod', { sample: 1, up: 0, onLoss: 'refuse', request: 'keep' }),
      added(HostConfig, 'CpuQuota', { sample: 50000, up: 0, onLoss: 'refuse', request: 'keep' }),
    ],
  },
  {
    id: '1.19/hostconfig-cpuset-mems',
    gate: 'release',
    summary: 'A container can be bound to memory nodes.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: [added(HostConfig, 'CpusetMems', { sample: '0', up: '', onLoss: 'refuse', request: 'keep' })],
  },
  {
    id: '1.19/hostconfig-blkio-weight',
    gate: 'release',
    summary: 'A container can have a weight for block I/O.',
    see: 'docs/api/v1.19.md, Create a container; daemon/daemon_unix.go @v1.7.1; recording 1.7.1 at 1.19, create-blkio',
    // A relative weight, not a limit: a host without support answers 201 with a warning (recording 1.9.1 at 1.21, create-blkio).
    ops: [added(HostConfig, 'BlkioWeight', { sample: 300, up: 0, onLoss: 'warn', convert: blkioInRange })],
    examples: {
      'ContainerCreate requestDown': [
        [body({ BlkioWeight: 300 }), body({}), { losses: ['HostConfig.BlkioWeight'] }],
        [body({ BlkioWeight: 5 }), /^Range of blkio weight is from 10 to 1000$/],
      ],
    },
  },
  {
    id: '1.19/hostconfig-oom-kill-disable',
    gate: 'release',
    summary: 'The out-of-memory killer can be disabled for a container.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: [added(HostConfig, 'OomKillDisable', { sample: true, up: false, onLoss: 'warn' })],
  },
  {
    id: '1.19/hostconfig-uts-mode',
    gate: 'release',
    summary: 'A container can share the host’s UTS namespace.',
    see: 'runconfig/hostconfig.go @v1.7.1 (no document has it); recording 1.7.1 at 1.19, create-uts-bad',
    ops: [added(HostConfig, 'UTSMode', { sample: 'host', up: '', onLoss: 'refuse' })],
  },
  {
    id: '1.19/cpu-shares-clamp',
    // Engines 1.7 to 25 do it for clients below 1.19; 26 dropped these versions.
    gate: 'prefix',
    summary: 'CPU shares are used unchanged; before, they were silently clamped to the kernel’s limits.',
    see: 'daemon/daemon_unix.go:adaptContainerSettings(adjustCPUShares) @v1.7.1 … v25; seen on 1.7, 1.9, 1.10, 20.10',
    ops: [
      byHand('ContainerCreate', 'CpuShares are clamped to 2 … 262144, in both places', {
        requestUp: (message) => {
          clampShares(message.body)
          clampShares(memberAt(message.body, 'HostConfig'))
        },
      }),
      byHand('ContainerStart', 'CpuShares are clamped to 2 … 262144', {
        requestUp: (message) => clampShares(message.body),
      }),
    ],
    examples: {
      'ContainerCreate requestUp': [[body({ CpuShares: 1 }), body({ CpuShares: 2 })]],
      'ContainerCreate requestUp body': [
        [
          { CpuShares: 1, HostConfig: { CpuShares: 0 } },
          { CpuShares: 2, HostConfig: { CpuShares: 0 } },
        ],
      ],
      'ContainerStart requestUp body.CpuShares': [[300000, 262144]],
    },
  },
] satisfies Change[]
