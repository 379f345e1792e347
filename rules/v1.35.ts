import { ExecConfig, Version } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec } from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded } from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { engineComponent } from './v1.35/version-components.ts'

export default [
  {
    id: '1.35/logs-until',
    gate: 'release',
    summary: 'Logs can end at a given time.',
    see: 'docs/api/version-history.md v1.35',
    ops: [queryAdded('ContainerLogs', 'until', { sample: '5', onLoss: 'refuse', neutral: ['0'] })],
  },
  {
    id: '1.35/exec-workingdir',
    gate: 'release',
    summary: 'An exec can have its own working directory.',
    see: 'docs/api/version-history.md v1.35',
    ops: [added(ExecConfig, 'WorkingDir', { sample: '/tmp', onLoss: 'refuse' })],
  },
  {
    id: '1.35/version-components',
    gate: 'release',
    summary: 'The version lists the components of the engine and its platform.',
    see: 'docs/api/version-history.md v1.35; daemon/info.go @v18.01',
    ops: [
      added(Version, 'Platform', { sample: { Name: '' }, up: { Name: '' }, onLoss: 'ignore' }),
      added(Version, 'Components', { sample: [{ Name: 'Engine' }], up: engineComponent, onLoss: 'ignore' }),
    ],
    examples: {
      'SystemVersion responseUp body': [
        [
          { Version: '1.12.6', Os: 'linux', Arch: 'amd64' },
          {
            Version: '1.12.6',
            Os: 'linux',
            Arch: 'amd64',
            Platform: { Name: '' },
            Components: [
              {
                Name: 'Engine',
                Version: '1.12.6',
                Details: {
                  ApiVersion: '',
                  Arch: 'amd64',
                  BuildTime: '',
                  Experimental: 'false',
                  GitCommit: '',
                  GoVersion: '',
                  KernelVersion: '',
                  MinAPIVersion: '',
                  Os: 'linux',
                },
              },
            ],
          },
        ],
      ],
    },
  },
  swarmMembers({
    id: '1.35/swarm-members',
    summary: 'Services can set the isolation of their containers on Windows.',
    see: 'docs/api/version-history.md v1.35',
    members: [{ of: TaskContainerSpec, name: 'Isolation', sample: 'hyperv', neutral: 'default' }],
  }),
] satisfies Change[]
