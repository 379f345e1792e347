import { Info } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, emulated } from '../../src/translate/ops.ts'
import { countContainers } from '../emulate/looked-up.ts'

/** Machine names of uname by Go's name. */
const MACHINES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64', '386': 'i686' }

export default [
  {
    id: '1.22/info-new-fields',
    gate: 'release',
    summary: 'Info has the machine, the plugins and the number of containers by state.',
    see: 'docs/api/v1.22.md, Display system-wide information; engine-api types @v1.10.3; recorded on 1.9.1, 1.10.3 (info)',
    ops: [
      added(Info, 'Architecture', {
        sample: 'x86_64',
        up: (_info, { engine }) => MACHINES[engine.arch] ?? engine.arch,
        onLoss: 'ignore',
      }),
      added(Info, 'OSType', { sample: 'linux', up: (_info, { engine }) => engine.os, onLoss: 'ignore' }),
      ...addedAll(Info, ['ContainersRunning', 'ContainersPaused', 'ContainersStopped'], {
        sample: 1,
        up: 0,
        onLoss: 'ignore',
      }),
      emulated('SystemInfo', 'the containers are counted', { responseUp: countContainers }),
      added(Info, 'Plugins', {
        sample: { Volume: ['local'], Network: ['bridge', 'null', 'host'], Authorization: null },
        up: { Volume: ['local'], Network: ['bridge', 'null', 'host'], Authorization: null },
        onLoss: 'ignore',
      }),
      added(Info, 'SystemStatus', { sample: [['a', 'b']], up: null, onLoss: 'ignore' }),
      // Engines up to 1.9 accept both without checking the kernel.
      ...addedAll(Info, ['CPUShares', 'CPUSet'], { sample: true, up: true, onLoss: 'ignore' }),
    ],
    examples: {
      'SystemInfo responseUp body': [
        [
          { Containers: 3 },
          {
            Containers: 3,
            ContainersRunning: 1,
            ContainersPaused: 1,
            ContainersStopped: 1,
            Architecture: 'x86_64',
            OSType: 'linux',
            Plugins: { Volume: ['local'], Network: ['bridge', 'null', 'host'], Authorization: null },
            SystemStatus: null,
            CPUShares: true,
            CPUSet: true,
          },
          {
            calls: {
              'GET /containers/json?all=1': {
                body: [
                  { Status: 'Up 2 hours' },
                  { Status: 'Up 3 hours (Paused)' },
                  { Status: 'Exited (0) 4 days ago' },
                ],
              },
            },
          },
        ],
      ],
    },
  },
] satisfies Change[]
