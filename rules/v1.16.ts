import { type Changes, queryAdded } from '../src/translate/ops.ts'

export default {
  '1.16/build-pull': {
    gate: 'prefix',
    summary: 'A build can ask for the newest base image.',
    see: 'api/server/router/build/build_routes.go @v20.10.24, newImageBuildOptions',
    ops: queryAdded('ImageBuild', 'pull', { sample: '1', onLoss: 'warn', neutral: ['0', 'false'] }),
  },
} satisfies Changes
