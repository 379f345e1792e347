import { olderErrors, type Row } from './words.ts'

/** Operations that check limits; a start with a HostConfig updates or creates a container first (emulate/ContainerStart.ts). */
const on = 'ContainerCreate ContainerUpdate ContainerStart'

/** The smallest memory and kernel memory limit that any engine accepted. */
export const LEAST_MEMORY = 4 << 20

/** Texts that ended with a full stop in engines up to 1.11. */
const stopped = (says: RegExp): Row => [says, '1.24 500', '1.23 500 $0.']

/** daemon/daemon_unix.go:verifyContainerResources @v1.6.2 … v1.12.6; recorded as create-mem-…, create-swap-…, create-cpuset. */
export const limits = olderErrors({
  [on]: [
    // Newer engines name their own minimum. Below 4MB the client's engine refused as well, and named 4MB.
    [
      /^Minimum (kernel )?memory limit allowed is \d+MB$/,
      { when: ({ limit }, [, kernel]) => limit[kernel === undefined ? 'Memory' : 'KernelMemory'] < LEAST_MEMORY },
      '1.24 500 Minimum $1memory limit allowed is 4MB',
    ],
    [
      /^Minimum memory limit can not be less than memory reservation limit, see usage$/,
      '1.24 500 Minimum memory limit should be larger than memory reservation limit, see usage',
      '1.23 500 Minimum memory limit should be larger than memory reservation limit, see usage.',
    ],
    [
      /^Invalid value (.*) for cpuset (cpus|mems): invalid format: /,
      '1.24 500 Invalid value $1 for cpuset $2',
      '1.23 500 Invalid value $1 for cpuset $2.',
    ],
    [
      /^SHM size can not be less than 0$/,
      '1.24 500 SHM size must be greater than 0',
      '1.23 500 SHM size must be greater then 0',
    ],
    [
      /^invalid isolation[: ]+\(?"?([^"): ][^")]*)[")](?::| -) linux only supports 'default'$/i,
      '1.24 500 invalid --isolation: "$1" - linux only supports \'default\'',
    ],
    stopped(
      /^(?:You should always set the Memory limit when using Memoryswap limit|Minimum memoryswap limit should be larger than memory limit), see usage$/,
    ),
    stopped(/^Invalid value: -?\d+, valid memory swappiness range is 0-100$/),
    stopped(/^Invalid value -?\d+, range for oom score adj is \[-1000, 1000\]$/),
    stopped(/^Range of blkio weight is from 10 to 1000$/),
    stopped(/^Requested (?:CPUs|memory nodes) are not available - .*$/),
  ],
})
