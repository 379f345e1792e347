import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.21/memory-reservation',
    gate: 'release',
    summary: 'A container can have a soft memory limit.',
    see: 'docs/api/v1.21.md, Create a container; daemon/daemon_unix.go @v1.9.1',
    ops: [added(HostConfig, 'MemoryReservation', { sample: 4194304, up: 0, onLoss: 'refuse', request: 'keep' })],
  },
  {
    id: '1.21/kernel-memory',
    gate: 'release',
    summary: 'A container can have a kernel memory limit.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig.go @v1.9.1',
    // 1.42/kernel-memory-ignored covers engines that no longer apply it.
    ops: [added(HostConfig, 'KernelMemory', { sample: 4194304, up: 0, onLoss: 'refuse' })],
  },
  {
    id: '1.21/dns-options',
    gate: 'release',
    summary: 'A container can have DNS resolver options.',
    see: 'docs/api/v1.21.md, Create a container; recordings 1.10.3 at 1.22, inspect-running, inspect-start-hc',
    ops: [added(HostConfig, 'DnsOptions', { sample: ['ndots:2'], up: null, onLoss: 'warn' })],
  },
] satisfies Change[]
