import {
  SwarmInfo,
  SwarmInitRequest,
  TaskConfig,
  TaskContainerSpec,
  TaskCredentialSpec,
  TaskPlacement,
} from '../../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { swarmMembers } from '../by-hand/swarm-members.ts'

/** What the objects of a swarm have from this version on. */
export default [
  swarmMembers({
    id: '1.40/swarm-members',
    summary:
      'Services take sysctls, credentials from configs, configs for the runtime and a most per node; a swarm chooses its data port.',
    see: 'docs/api/version-history.md v1.40',
    members: [
      { of: TaskContainerSpec, name: 'Sysctls', sample: { 'net.core.somaxconn': '1' }, droppedByPrefix: true },
      { of: TaskCredentialSpec, name: 'Config', sample: 'c', droppedByPrefix: true },
      { of: TaskConfig, name: 'Runtime', sample: {}, droppedByPrefix: true, saysByBeing: true },
      { of: TaskPlacement, name: 'MaxReplicas', sample: 1, droppedByPrefix: true },
      { of: SwarmInitRequest, name: 'DataPathPort', sample: 4790, droppedByPrefix: true },
      { of: SwarmInfo, name: 'Warnings', sample: ['w'], onLoss: 'ignore' },
    ],
  }),
] satisfies Change[]
