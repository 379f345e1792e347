import { ContainerInspect, ImageInspect, SwarmFileSpec, Volume } from '../src/api/shapes/shapes.ts'
import { TaskSpec } from '../src/api/shapes/swarm-shapes.ts'
import { added, type Changes, endpointAdded, queryAdded } from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

export default {
  '1.31/volume-created-at': {
    summary: 'Volumes show when they were created.',
    ops: added(Volume, 'CreatedAt', { sample: '2026-01-01T00:00:00Z' }),
  },
  '1.31/image-metadata': {
    summary: 'Images show when they were last tagged, containers their operating system.',
    see: 'docs/api/version-history.md v1.31; api/types/types.go @v17.07.0',
    ops: [
      added(ImageInspect, 'Metadata', {
        sample: { LastTagTime: '2026-01-01T00:00:00Z' },
        up: { LastTagTime: '0001-01-01T00:00:00Z' },
      }),
      added(ContainerInspect, 'Platform', {
        sample: 'linux',
        up: (_object, { engine }) => engine.os,
        upSamples: [[{}, 'linux']],
      }),
    ],
  },
  '1.31/session-secrets-status': {
    summary: 'Builds can have a session with the client; a network inspect can name a scope.',
    ops: [
      endpointAdded('Session', { missing: 404 }),
      queryAdded('NetworkInspect', 'scope', { sample: 'swarm', onLoss: 'warn', neutral: ['local'] }),
    ],
  },
  '1.31/swarm-members': swarmMembers({
    summary: 'Services can be plugins, and secrets can come from a driver.',
    see: 'docs/api/version-history.md v1.31; docs/api/v1.31.yaml',
    members: [
      { of: TaskSpec, samples: { PluginSpec: { Remote: 'r' } } },
      { of: SwarmFileSpec, samples: { Driver: { Name: 'vault' } } },
    ],
  }),
  '1.31/build-prune': {
    summary: 'The build cache can be pruned.',
    see: 'docs/api/v1.31.yaml, BuildPrune; api/server/router/build @v17.07.0',
    ops: endpointAdded('BuildPrune', { missing: 501 }),
  },
} satisfies Changes
