import { TaskPrivileges } from '../../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { swarmMembers } from '../by-hand/swarm-members.ts'

export default [
  swarmMembers({
    id: '1.44/swarm-members',
    summary: 'Services can have seccomp and AppArmor profiles, and can disable new privileges.',
    see: 'docs/api/version-history.md v1.44',
    members: [
      { of: TaskPrivileges, name: 'Seccomp', sample: { Mode: 'unconfined' }, droppedByPrefix: true },
      { of: TaskPrivileges, name: 'AppArmor', sample: { Mode: 'disabled' }, droppedByPrefix: true },
      { of: TaskPrivileges, name: 'NoNewPrivileges', sample: true, droppedByPrefix: true },
    ],
  }),
] satisfies Change[]
