import { ExecConfig, Version } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec } from '../src/api/shapes/swarm-shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded } from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import { engineComponent } from './by-hand/version-components.ts'

export default [
  {
    id: '1.35/logs-until',
    gate: 'release',
    summary: 'Logs can be asked for up to a time.',
    see: 'docs/api/version-history.md v1.35',
    ops: [queryAdded('ContainerLogs', 'until', { onLoss: 'refuse', neutral: (value) => value === '0' })],
    examples: [
      { on: 'ContainerLogs', leg: 'requestUp', before: { query: 'stdout=1&until=5' }, after: { query: 'stdout=1' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&until=0' },
        after: { query: 'stdout=1' },
      },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&until=5' },
        after: { refused: /query parameter until/ },
      },
    ],
  },
  {
    id: '1.35/exec-workingdir',
    gate: 'release',
    summary: 'A command may run in a directory of its own.',
    see: 'docs/api/version-history.md v1.35',
    ops: [added(ExecConfig, 'WorkingDir', { onLoss: 'refuse' })],
    examples: [
      {
        on: 'ContainerExec',
        leg: 'requestUp',
        before: { body: { Cmd: ['pwd'], WorkingDir: '/tmp' } },
        after: { body: { Cmd: ['pwd'] } },
      },
      {
        on: 'ContainerExec',
        leg: 'requestDown',
        before: { body: { Cmd: ['pwd'], WorkingDir: '/tmp' } },
        after: { refused: /ExecConfig\.WorkingDir/ },
      },
    ],
  },
  {
    id: '1.35/version-components',
    gate: 'release',
    summary: 'The version names the parts of the engine and its platform.',
    see: 'docs/api/version-history.md v1.35; daemon/info.go @v18.01',
    ops: [
      added(Version, 'Platform', { up: { Name: '' }, onLoss: 'ignore' }),
      added(Version, 'Components', { up: engineComponent, onLoss: 'ignore' }),
    ],
    examples: [
      {
        on: 'SystemVersion',
        leg: 'responseDown',
        client: '1.34',
        before: { body: { Version: '18.01.0', Platform: { Name: '' }, Components: [] } },
        // the bridge names its own range (src/translate/own.ts)
        after: { body: { Version: '18.01.0' } },
      },
      {
        on: 'SystemVersion',
        leg: 'responseUp',
        before: { body: { Version: '1.12.6', Os: 'linux', Arch: 'amd64' } },
        after: {
          body: {
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
        },
      },
    ],
  },
  swarmMembers({
    id: '1.35/swarm-members',
    summary: 'Services say how containers are isolated on Windows.',
    see: 'docs/api/version-history.md v1.35',
    members: [{ of: TaskContainerSpec, name: 'Isolation', sample: 'hyperv', neutral: 'default' }],
  }),
] satisfies Change[]
