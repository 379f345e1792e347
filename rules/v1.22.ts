import type { JsonValue } from '../src/api/json/json.ts'
import { below } from '../src/api/shapes/shape.ts'
import { ExecInspect, HostConfig, Info } from '../src/api/shapes/shapes.ts'
import {
  added,
  addedAll,
  type Changes,
  emulated,
  filled,
  gated,
  headRetyped,
  lookedUp,
  only,
  removed,
  retyped,
  sameAs,
} from '../src/translate/ops.ts'
import { rateAsNumber, THROTTLES, throttled } from './by-hand/blkio-rates.ts'
import { embedContainer } from './emulate/exec-inspect.ts'
import { countsByState } from './emulate/looked-up.ts'
import containers from './v1.22/containers.ts'
import create from './v1.22/create.ts'
import events from './v1.22/events.ts'
import images from './v1.22/images.ts'
import inspect from './v1.22/inspect.ts'
import networks from './v1.22/networks.ts'
import progress from './v1.22/progress.ts'

const ProcessConfig = below(ExecInspect, 'ProcessConfig')

const SHOWN = { ID: 'e1', ContainerID: '1a2b' }
const asks = (body: JsonValue, status = 200) => ({
  params: { id: 'e1' },
  calls: { 'GET /containers/1a2b/json': { status, body } },
})

/** As engine 1.6 shows it; containers of 1.9 are in the recordings. */
const OF_1_6 = { Config: { Memory: 0 }, Volumes: { '/d': '/v' }, VolumesRW: { '/d': true } }
const EMBEDDED = { ID: '1a2b', ...OF_1_6, ExecDriver: 'native-0.2', AppliedVolumesFrom: null, UpdateDns: false }

/** Machine names of uname by Go's name. */
const MACHINES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64', '386': 'i686' }

const PLUGINS = { Volume: ['local'], Network: ['bridge', 'null', 'host'], Authorization: null }

const rest = {
  '1.22/blkio-weight-device': {
    summary: 'The block IO weight can be set for each device.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/blkiodev @v1.10.3',
    ops: added(HostConfig, 'BlkioWeightDevice', { sample: [{ Path: '/sda', Weight: 300 }], up: null, onLoss: 'warn' }),
  },
  '1.22/blkio-throttle-devices': {
    summary: 'Reading from and writing to a device can be throttled.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/blkiodev/blkio.go @v1.10.3; engine 20.10 on a Rate that is a string',
    ops: [
      ...addedAll(HostConfig, THROTTLES, { sample: [{ Path: '/dev/sda', Rate: 1000 }], up: null, onLoss: 'warn' }),
      // Only needed with `--newer-fields pass`: otherwise the members have just been removed.
      ...throttled.map((device) => retyped(device, 'Rate', { toNewer: rateAsNumber })),
    ],
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
  '1.22/exec-inspect-shape': {
    summary: 'Exec inspect has the id of the container; before, the whole container.',
    see: 'docs/api/v1.21.md, v1.22.md, Exec Inspect; daemon/exec.go:ExecConfig @v1.9.1; types/backend.ExecInspect @v1.10.3; recorded on 1.6.2 … 1.10.3, 20.10.24',
    ops: [
      emulated('ExecInspect', 'the container is inspected and embedded', { responseDown: embedContainer }),
      added(ExecInspect, 'ContainerID', { sample: '1a2b', up: sameAs('Container.ID', '') }),
      // Engines up to 1.9 know whether an exec can be removed, but do not show it.
      added(ExecInspect, 'CanRemove', { sample: true, up: false }),
      added(ExecInspect, 'DetachKeys', { sample: 'x', up: '' }),
      ...only({ legs: ['responseUp'] }, removed(ExecInspect, 'Container', { down: {} })),
      // No version of the documents introduced Pid.
      ...only({ legs: ['responseDown'] }, added(ExecInspect, 'Pid', { sample: 12 })),
    ],
    examples: {
      'ExecInspect responseDown body': [
        [SHOWN, { ID: 'e1', Container: EMBEDDED }, { client: '1.18', ...asks({ Id: '1a2b', ...OF_1_6 }) }],
        [SHOWN, /^No such exec instance 'e1' found in daemon$/, asks('No such container: 1a2b', 404)],
      ],
    },
  },
  '1.22/exec-exitcode-null': {
    summary: 'The exit code of an exec is null until it has ended; before, 0.',
    see: 'types/backend @v1.10.3; recorded on 1.9.1, 1.10.3, 1.12.6 (exec-inspect-new, exec-inspect-running)',
    ops: [
      retyped(ExecInspect, 'ExitCode', {
        toOlder: [[null, 0]],
        samples: [
          [0, null, { with: { Running: true } }],
          [0, 0, { with: { Running: false } }],
        ],
        toNewer: (_code, { Running }) => (Running === true ? null : undefined),
      }),
      // Engines of 1.22 still send both; from 1.12 on they are left out when unset.
      ...gated({ from: '1.24' }, filled(ProcessConfig, 'privileged', false), filled(ProcessConfig, 'user', '')),
    ],
  },
  '1.22/exec-start-content-type': {
    gate: 'prefix',
    // Engine 26 requires it at every prefix.
    prefixCodeGoneFrom: '1.45',
    summary: 'The body of exec start needs a Content-Type of JSON.',
    see: 'api/server/router/container/exec.go @v1.10.3 … v25; httputils.ReadJSON @v26',
    ops: headRetyped('ExecStart', 'header Content-Type', { toNewer: 'application/json' }),
  },
  '1.22/info-new-fields': {
    summary: 'Info has the machine, the plugins and the number of containers by state.',
    see: 'docs/api/v1.22.md, Display system-wide information; engine-api types @v1.10.3; recorded on 1.9.1, 1.10.3 (info)',
    ops: [
      added(Info, 'Architecture', {
        sample: 'x86_64',
        up: (_info, { engine }) => MACHINES[engine.arch] ?? engine.arch,
        upSamples: [[{}, 'x86_64']],
      }),
      added(Info, 'OSType', { sample: 'linux', up: (_info, { engine }) => engine.os }),
      ...addedAll(Info, ['ContainersRunning', 'ContainersPaused', 'ContainersStopped'], { sample: 1, up: 0 }),
      lookedUp(Info, 'the containers are counted', {
        asks: '/containers/json?all=1',
        lacks: 'ContainersRunning',
        finds: (_info, containers) => countsByState(containers),
        samples: [
          [
            {},
            ['Up 2 hours', 'Up 3 hours (Paused)', 'Exited (0) 4 days ago'].map((Status) => ({ Status })),
            { ContainersRunning: 1, ContainersPaused: 1, ContainersStopped: 1 },
          ],
        ],
      }),
      added(Info, 'Plugins', { sample: PLUGINS, up: PLUGINS }),
      added(Info, 'SystemStatus', { sample: [['a', 'b']], up: null }),
      // 1.21/info-cpushares-cpuset has the other two of engine 1.10.
    ],
  },
} satisfies Changes

/** Events precede images: on responseUp a record must get its Type before its image id gets a prefix. */
export default [create, inspect, containers, rest, events, images, networks, progress] satisfies readonly Changes[]
