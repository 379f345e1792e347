import { type Changes, headRetyped } from '../src/translate/ops.ts'

export default {
  '1.13/commit-pauses': {
    gate: 'prefix',
    summary: 'A commit pauses its container unless told not to; before, only when told to.',
    see: 'api/server/router/container/container_routes.go @v20.10.24, postCommit',
    ops: headRetyped('ImageCommit', 'query pause', { toNewer: '0', toOlder: '1', ifMissing: true }),
  },
} satisfies Changes
