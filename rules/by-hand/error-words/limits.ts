import type { Words } from './words.ts'

/** Operations that check limits; a start with a HostConfig updates or creates a container first (emulate/ContainerStart.ts). */
const on = ['ContainerCreate', 'ContainerUpdate', 'ContainerStart'] as const

/** The smallest memory and kernel memory limit that any engine accepted. */
export const LEAST_MEMORY = 4 << 20

/** Texts that ended with a full stop in engines up to 1.11. */
const stopped = (says: RegExp): Words => ({
  on,
  says,
  was: [
    [24, 500],
    [23, 500, '$0.'],
  ],
})

/** daemon/daemon_unix.go:verifyContainerResources @v1.6.2 … v1.12.6; recorded as create-mem-…, create-swap-…, create-cpuset. */
export const limits: readonly Words[] = [
  {
    // Newer engines name their own minimum. Below 4MB the client's engine refused as well, and named 4MB.
    on,
    says: /^Minimum (kernel )?memory limit allowed is \d+MB$/,
    when: ({ limit }, [, kernel]) => limit[kernel === undefined ? 'Memory' : 'KernelMemory'] < LEAST_MEMORY,
    was: [[24, 500, 'Minimum $1memory limit allowed is 4MB']],
  },
  {
    on,
    says: /^Minimum memory limit can not be less than memory reservation limit, see usage$/,
    was: [
      [24, 500, 'Minimum memory limit should be larger than memory reservation limit, see usage'],
      [23, 500, 'Minimum memory limit should be larger than memory reservation limit, see usage.'],
    ],
  },
  stopped(
    /^(?:You should always set the Memory limit when using Memoryswap limit|Minimum memoryswap limit should be larger than memory limit), see usage$/,
  ),
  stopped(/^Invalid value: -?\d+, valid memory swappiness range is 0-100$/),
  stopped(/^Invalid value -?\d+, range for oom score adj is \[-1000, 1000\]$/),
  stopped(/^Range of blkio weight is from 10 to 1000$/),
  stopped(/^Requested (?:CPUs|memory nodes) are not available - .*$/),
  {
    on,
    says: /^Invalid value (.*) for cpuset (cpus|mems): invalid format: /,
    was: [
      [24, 500, 'Invalid value $1 for cpuset $2'],
      [23, 500, 'Invalid value $1 for cpuset $2.'],
    ],
  },
  {
    on,
    says: /^SHM size can not be less than 0$/,
    was: [
      [24, 500, 'SHM size must be greater than 0'],
      [23, 500, 'SHM size must be greater then 0'],
    ],
  },
  {
    on,
    says: /^invalid isolation[: ]+\(?"?([^"): ][^")]*)[")](?::| -) linux only supports 'default'$/i,
    was: [[24, 500, 'invalid --isolation: "$1" - linux only supports \'default\'']],
  },
]
