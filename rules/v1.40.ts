import * as swarm from '../src/api/shapes/swarm-shapes.ts'
import type { Changes } from '../src/translate/change.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import create from './v1.40/create.ts'
import system from './v1.40/system.ts'

export default [
  system,
  create,
  {
    '1.40/swarm-members': swarmMembers({
      summary:
        'Services can have sysctls, credentials from configs, configs for the runtime and a maximum per node; a swarm can choose its data path port.',
      see: 'docs/api/version-history.md v1.40',
      members: [
        { of: swarm.TaskContainerSpec, samples: { Sysctls: { 'net.core.somaxconn': '1' } }, droppedByPrefix: true },
        { of: swarm.TaskCredentialSpec, samples: { Config: 'c' }, droppedByPrefix: true },
        { of: swarm.TaskConfig, samples: { Runtime: {} }, droppedByPrefix: true, saysByBeing: true },
        { of: swarm.TaskPlacement, samples: { MaxReplicas: 1 }, droppedByPrefix: true },
        { of: swarm.SwarmInitRequest, samples: { DataPathPort: 4790 }, droppedByPrefix: true },
        { of: swarm.SwarmInfo, samples: { Warnings: ['w'] } },
      ],
    }),
    '1.40/warnings': newerWarnings('daemon/daemon_unix.go:verifyPlatformContainerResources @v19.03.15', [
      [
        'OOM killer is disabled for the container, but no memory limit is set',
        ', this can result in the system running out of resources.',
      ],
    ]),
  },
] satisfies readonly Changes[]
