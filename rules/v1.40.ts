import type { Change } from '../src/translate/change.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import create from './v1.40/create.ts'
import swarm from './v1.40/swarm.ts'
import system from './v1.40/system.ts'

export default [
  ...system,
  ...create,
  ...swarm,
  newerWarnings('1.40', 'daemon/daemon_unix.go:verifyPlatformContainerResources @v19.03.15', [
    {
      text: /^OOM killer is disabled for the container, but no memory limit is set/,
      sample:
        'OOM killer is disabled for the container, but no memory limit is set, this can result in the system running out of resources.',
    },
  ]),
] satisfies Change[]
