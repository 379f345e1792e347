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
    ops: [added(HostConfig, 'MemoryReservation', { sample: 4194304, up: 0, onLoss: 'refuse', request: 'keep' })],
  },
  {
    id: '1.21/kernel-memory',
    gate: 'release',
    summary: 'A limit of the kernel’s memory.',
    see: 'docs/api/v1.21.md, Create a container; runconfig/hostconfig.go @v1.9.1',
    // That engines stop showing and honouring it later is 1.42/kernel-memory-ignored.
    ops: [added(HostConfig, 'KernelMemory', { sample: 4194304, up: 0, onLoss: 'refuse' })],
  },
  {
    id: '1.21/dns-options',
    gate: 'release',
    summary: 'Options of the container’s resolver.',
    see: 'docs/api/v1.21.md, Create a container; recordings 1.10.3 at 1.22, inspect-running, inspect-start-hc',
    ops: [added(HostConfig, 'DnsOptions', { sample: ['ndots:2'], up: null, onLoss: 'warn' })],
  },
] satisfies Change[]
