import { type Changes, querySet } from '../src/translate/ops.ts'

export default {
  '1.13/commit-pauses': {
    gate: 'prefix',
    summary: 'A commit pauses its container unless told not to; before, only when told to.',
    see: 'api/server/router/container/container_routes.go @v20.10.24, postCommit',
    ops: querySet('ImageCommit', 'pause', { before: '0', after: '1', ifMissing: true }),
  },
} satisfies Changes
