import { Info } from '../../src/api/shapes/shapes.ts'
import { added, addedAll, type Changes, lookedUp } from '../../src/translate/ops.ts'
import { countsByState } from '../emulate/looked-up.ts'

/** Machine names of uname by Go's name. */
const MACHINES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64', '386': 'i686' }

const PLUGINS = { Volume: ['local'], Network: ['bridge', 'null', 'host'], Authorization: null }

export default {
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
