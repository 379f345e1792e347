import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added } from '../../src/translate/ops.ts'

/** HostConfig's new members. */
export default [
  {
    id: '1.21/memory-reservation',
    gate: 'release',
    summary: 'A soft limit of memory.',
    see: 'docs/api/v1.21.md, Create a container; daemon/daemon_unix.go @v1.9.1',
    ops: [added(HostConfig, 'MemoryReservation', { up: 0, onLoss: 'refuse', request: 'keep' })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { MemoryReservation: 4194304 } } },
        after: { refused: /HostConfig\.MemoryReservation .* needs API 1\.21/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Memory: 0, MemoryReservation: 0 } } },
        after: { body: { HostConfig: { Memory: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { Memory: 0 } } },
        after: { body: { HostConfig: { Memory: 0, MemoryReservation: 0 } } },
      },
    ],
  },
  {
    id: '1.21/kernel-memory',
    gate: 'release',
    summary: 'A limit of the kernel’s memory.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig.go @v1.9.1',
    // That engines stop showing and honouring it later is 1.42/kernel-memory-ignored.
    ops: [added(HostConfig, 'KernelMemory', { up: 0, onLoss: 'refuse' })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { KernelMemory: 4194304 } } },
        after: { body: { HostConfig: {} } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { KernelMemory: 4194304 } } },
        after: { refused: /HostConfig\.KernelMemory .* needs API 1\.21/ },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Memory: 0, KernelMemory: 0 } } },
        after: { body: { HostConfig: { Memory: 0 } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { Memory: 0 } } },
        after: { body: { HostConfig: { Memory: 0, KernelMemory: 0 } } },
      },
    ],
  },
  {
    id: '1.21/dns-options',
    gate: 'release',
    summary: 'Options of the container’s resolver.',
    see: 'docs/api/v1.21.md, Create a container; recordings 1.10.3 at 1.22, inspect-running, inspect-start-hc',
    ops: [added(HostConfig, 'DnsOptions', { up: null, onLoss: 'warn' })],
    examples: [
      {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { Dns: null, DnsOptions: ['ndots:2'] } } },
        after: { body: { HostConfig: { Dns: null } } },
      },
      {
        on: 'ContainerCreate',
        leg: 'requestDown',
        before: { body: { HostConfig: { Dns: null, DnsOptions: ['ndots:2'] } } },
        after: { body: { HostConfig: { Dns: null } } },
        losses: ['HostConfig.DnsOptions'],
      },
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { HostConfig: { Dns: null, DnsOptions: null } } },
        after: { body: { HostConfig: { Dns: null } } },
      },
      {
        on: 'ContainerInspect',
        leg: 'responseUp',
        before: { body: { HostConfig: { Dns: null } } },
        after: { body: { HostConfig: { Dns: null, DnsOptions: null } } },
      },
    ],
  },
] satisfies Change[]
