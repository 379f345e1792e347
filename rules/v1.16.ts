import type { Change } from '../src/translate/change.ts'
import { queryAdded } from '../src/translate/ops.ts'

export default [
  {
    id: '1.16/build-pull',
    gate: 'prefix',
    summary: 'A build can ask for the newest base image.',
    see: 'api/server/router/build/build_routes.go @v20.10.24, newImageBuildOptions',
    ops: [queryAdded('ImageBuild', 'pull', { onLoss: 'warn', neutral: ['0', 'false'] })],
    examples: [
      { on: 'ImageBuild', leg: 'requestUp', before: { query: 't=a&pull=1' }, after: { query: 't=a' } },
      { on: 'ImageBuild', leg: 'requestDown', before: { query: 't=a&pull=1' }, after: { query: 't=a' } },
    ],
  },
] satisfies Change[]
