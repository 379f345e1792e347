import { Refusal } from '../../src/api/errors.ts'
import { integer, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, byHand } from '../../src/translate/ops.ts'

/** What the engines themselves say of a weight out of range (daemon/daemon_unix.go:verifyContainerSettings @v1.7.1). */
function blkioInRange(value: JsonValue): false {
  const weight = integer(value)
  if (weight !== undefined && (weight < 10n || weight > 1000n))
    throw new Refusal('validation', 'Range of blkio weight is from 10 to 1000')
  return false
}

/** The kernel's limits (daemon/daemon_unix.go:adjustCPUShares @v1.7.1): 1 is stored as 2. */
function clampShares(object: JsonValue | undefined): void {
  if (!isObject(object)) return
  const shares = integer(object['CpuShares'])
  if (shares === undefined || shares <= 0n) return
  if (shares < 2n) object['CpuShares'] = 2
  if (shares > 262144n) object['CpuShares'] = 262144
}

const body = (hostConfig: JsonObject) => ({ body: { Image: 'busybox', HostConfig: hostConfig } })
const shown = (hostConfig: JsonObject) => ({ body: { HostConfig: hostConfig } })

export default [
  {
    id: '1.19/hostconfig-cpu-period-quota',
    gate: 'release',
    summary: 'CFS period and quota of a container can be set.',
    see: 'docs/api/v1.19.md, Create a container',
    ops: [
      added(HostConfig, 'CpuPeriod', { up: 0, onLoss: 'refuse', request: 'keep' }),
      added(HostConfig, 'CpuQuota', { up: 0, onLoss: 'refuse', request: 'keep' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ CpuPeriod: 0, CpuQuota: 50000 }),
        after: { refused: /HostConfig\.CpuQuota .* needs API 1\.19 .* has API 1\.18/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: shown({ CpuPeriod: 0, CpuQuota: 0, Memory: 0 }),
        after: shown({ Memory: 0 }),
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: shown({ Memory: 0 }),
        after: shown({ Memory: 0, CpuPeriod: 0, CpuQuota: 0 }),
      },
    ],
  },
  {
    id: '1.19/hostconfig-cpuset-mems',
    gate: 'release',
    summary: 'A container can be bound to memory nodes.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: [added(HostConfig, 'CpusetMems', { up: '', onLoss: 'refuse', request: 'keep' })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ CpusetMems: '0' }),
        after: { refused: /HostConfig\.CpusetMems/ },
      },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ CpusetMems: '' }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ CpusetMems: '' }) },
    ],
  },
  {
    id: '1.19/hostconfig-blkio-weight',
    gate: 'release',
    summary: 'A container has a weight in the sharing of block devices.',
    see: 'docs/api/v1.19.md, Create a container; daemon/daemon_unix.go @v1.7.1; recording 1.7.1 at 1.19, create-blkio',
    // Relative weight, no limit: a host without it answers 201 and a warning (recording 1.9.1 at 1.21, create-blkio).
    ops: [added(HostConfig, 'BlkioWeight', { up: 0, onLoss: 'warn', convert: blkioInRange })],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ BlkioWeight: 300 }), after: body({}) },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ BlkioWeight: 300 }),
        after: body({}),
        losses: ['HostConfig.BlkioWeight'],
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ BlkioWeight: 5 }),
        after: { refused: /^Range of blkio weight is from 10 to 1000$/ },
      },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ BlkioWeight: 0 }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ BlkioWeight: 0 }) },
    ],
  },
  {
    id: '1.19/hostconfig-oom-kill-disable',
    gate: 'release',
    summary: 'A container can be kept from the kernel’s out-of-memory killer.',
    see: 'docs/api/v1.19.md, Create a container; runconfig/hostconfig.go @v1.7.1',
    ops: [added(HostConfig, 'OomKillDisable', { up: false, onLoss: 'warn' })],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ OomKillDisable: true }), after: body({}) },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: body({ OomKillDisable: true }),
        after: body({}),
        losses: ['HostConfig.OomKillDisable'],
      },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ OomKillDisable: null }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ OomKillDisable: false }) },
    ],
  },
  {
    id: '1.19/hostconfig-uts-mode',
    gate: 'release',
    summary: 'A container can share the host’s UTS namespace.',
    see: 'runconfig/hostconfig.go @v1.7.1 (no document has it); recording 1.7.1 at 1.19, create-uts-bad',
    ops: [added(HostConfig, 'UTSMode', { up: '', onLoss: 'refuse' })],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ UTSMode: 'host' }), after: body({}) },
      {
        on: 'ContainerStart',
        leg: 'requestDown',
        before: { body: { UTSMode: 'host' } },
        after: { refused: /HostConfig\.UTSMode/ },
      },
      { on: 'ContainerInspect', leg: 'responseDown', before: shown({ UTSMode: '' }), after: shown({}) },
      { on: 'ContainerInspect', leg: 'responseUp', before: shown({}), after: shown({ UTSMode: '' }) },
    ],
  },
  {
    id: '1.19/cpu-shares-clamp',
    // The engines 1.7 to 25 do it for clients below 1.19; 26 lost the code together with these versions.
    gate: 'prefix',
    summary: 'CPU shares are taken as they are; before they were brought into the kernel’s limits in silence.',
    see: 'daemon/daemon_unix.go:adaptContainerSettings(adjustCPUShares) @v1.7.1 … v25; seen on 1.7, 1.9, 1.10, 20.10',
    ops: [
      byHand('ContainerCreate', 'CpuShares from 2 to 262144, at either place', {
        requestUp: (message) => {
          clampShares(message.body)
          clampShares(isObject(message.body) ? message.body['HostConfig'] : undefined)
        },
      }),
      byHand('ContainerStart', 'CpuShares from 2 to 262144', { requestUp: (message) => clampShares(message.body) }),
    ],
    examples: [
      { on: 'ContainerCreate', leg: 'requestUp', before: body({ CpuShares: 1 }), after: body({ CpuShares: 2 }) },
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { CpuShares: 1, HostConfig: { CpuShares: 0 } } },
        after: { body: { CpuShares: 2, HostConfig: { CpuShares: 0 } } },
      },
      {
        on: 'ContainerStart',
        leg: 'requestUp',
        before: { body: { CpuShares: 300000 } },
        after: { body: { CpuShares: 262144 } },
      },
    ],
  },
] satisfies Change[]
