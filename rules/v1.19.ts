import { HostConfig, Info, StatsRecord } from '../src/api/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded, retyped } from '../src/translate/ops.ts'

export default [
  {
    id: '1.19/hostconfig-cpu-period-quota',
    gate: 'release',
    summary: 'CFS period and quota of a container can be set.',
    see: 'docs/api/v1.19.md, Create a container',
    ops: [
      added(HostConfig, 'CpuPeriod', { up: 0, onLoss: 'refuse' }),
      added(HostConfig, 'CpuQuota', { up: 0, onLoss: 'refuse' }),
    ],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { Image: 'busybox', HostConfig: { CpuPeriod: 100000, Memory: 4194304 } } },
        after: { body: { Image: 'busybox', HostConfig: { Memory: 4194304 } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { CpuPeriod: 0, CpuQuota: 50000 } } },
        after: { refused: /HostConfig\.CpuQuota .* needs API 1\.19 .* has API 1\.18/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { CpuPeriod: 0, CpuQuota: 0, Memory: 0 } } },
        after: { body: { HostConfig: { Memory: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { Memory: 0 } } },
        after: { body: { HostConfig: { Memory: 0, CpuPeriod: 0, CpuQuota: 0 } } },
      },
    ],
  },
  {
    id: '1.19/info-bools',
    gate: 'release',
    summary: 'Four switches of info are booleans; before they were 0 and 1.',
    see: 'docs/api/v1.19.md, Display system-wide information; daemon/info.go @v1.6.2, @v1.7.1',
    ops: ['Debug', 'IPv4Forwarding', 'MemoryLimit', 'SwapLimit'].map((member) =>
      retyped(Info, member, {
        toOlder: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
        toNewer: (value) => (typeof value === 'number' ? value !== 0 : undefined),
      }),
    ),
    examples: [
      {
        on: 'SystemInfo',
        leg: 'responseDown',
        before: { body: { Debug: false, MemoryLimit: true, NFd: 11 } },
        after: { body: { Debug: 0, MemoryLimit: 1, NFd: 11 } },
      },
      { on: 'SystemInfo', leg: 'responseUp', before: { body: { Debug: 1 } }, after: { body: { Debug: true } } },
    ],
  },
  {
    id: '1.19/stats-precpu',
    gate: 'release',
    summary: 'A record of stats carries the reading before it.',
    see: 'docs/api/v1.19.md, Get container stats',
    ops: [added(StatsRecord, 'precpu_stats', { onLoss: 'ignore' })],
    examples: [
      {
        on: 'ContainerStats',
        leg: 'responseDown',
        before: { body: { read: 't', precpu_stats: {} } },
        after: { body: { read: 't' } },
      },
      { on: 'ContainerStats', leg: 'responseUp', before: { body: { read: 't' } }, after: { body: { read: 't' } } },
    ],
  },
  {
    id: '1.19/logs-since',
    gate: 'release',
    summary: 'Logs can be asked for from a time on.',
    see: 'docs/api/v1.19.md, Get container logs',
    ops: [queryAdded('ContainerLogs', 'since', { onLoss: 'refuse', neutral: (value) => value === '0' })],
    examples: [
      { on: 'ContainerLogs', leg: 'requestUp', before: { query: 'stdout=1&since=5' }, after: { query: 'stdout=1' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&since=5' },
        after: { refused: /query parameter since/ },
      },
    ],
  },
] satisfies Change[]
