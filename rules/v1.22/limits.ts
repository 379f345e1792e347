import { HostConfig } from '../../src/api/shapes/shapes.ts'
import { added, addedAll, type Changes, retyped } from '../../src/translate/ops.ts'
import { ratesAsNumbers } from '../by-hand/blkio-rates.ts'

const THROTTLES = ['BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteIOps']

export default {
  '1.22/blkio-weight-device': {
    summary: 'The block IO weight can be set for each device.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/blkiodev @v1.10.3',
    ops: added(HostConfig, 'BlkioWeightDevice', {
      sample: [{ Path: '/dev/sda', Weight: 300 }],
      up: null,
      onLoss: 'warn',
    }),
  },
  '1.22/blkio-throttle-devices': {
    summary: 'Reading from and writing to a device can be throttled.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/blkiodev/blkio.go @v1.10.3; engine 20.10 on a Rate that is a string',
    ops: [
      ...addedAll(HostConfig, THROTTLES, { sample: [{ Path: '/dev/sda', Rate: 1000 }], up: null, onLoss: 'warn' }),
      // Only needed with `--newer-fields pass`: otherwise the members have just been removed.
      ...THROTTLES.map((member) => retyped(HostConfig, member, { toNewer: ratesAsNumbers, sides: 'request' })),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig': [[{ BlkioDeviceReadBps: [{ Path: '/dev/sda', Rate: '1000' }] }, {}]],
    },
  },
  '1.22/oom-score-adj': {
    summary: 'The OOM score of a container can be adjusted.',
    see: 'docs/api/v1.22.md, Create a container (docs/api/version-history.md says v1.21; the daemon has it from 1.10)',
    ops: added(HostConfig, 'OomScoreAdj', { sample: 500, up: 0, onLoss: 'warn' }),
  },
  '1.22/shm-size': {
    summary: 'The size of /dev/shm can be set; before, it was 64 MB.',
    see: 'docs/api/v1.22.md, Create a container; daemon/daemon_unix.go:adaptContainerSettings @v1.10.3',
    ops: added(HostConfig, 'ShmSize', { sample: 1048576, up: 67108864, neutral: [67108864], onLoss: 'warn' }),
  },
  '1.22/oom-kill-disable-nullable': {
    summary: 'OomKillDisable can be null; before, false.',
    see: 'engine-api types/container/host_config.go @v1.10.3; recorded on 28.5 with cgroup v2',
    ops: retyped(HostConfig, 'OomKillDisable', { toOlder: [[null, false]] }),
  },
} satisfies Changes
