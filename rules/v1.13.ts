import type { Change } from '../src/translate/change.ts'
import type { RequestMessage } from '../src/translate/message.ts'
import { byHand } from '../src/translate/ops.ts'

const pauseByDefault =
  (pause: '0' | '1') =>
  ({ query }: RequestMessage): void => {
    if ((query.get('pause') ?? '') === '') query.set('pause', pause)
  }

export default [
  {
    id: '1.13/commit-pauses',
    gate: 'prefix',
    summary: 'A commit pauses its container unless told not to; before, only when told to.',
    see: 'api/server/router/container/container_routes.go @v20.10.24, postCommit',
    ops: [
      byHand('ImageCommit', 'pause is set if the client omits it', {
        part: 'head',
        requestUp: pauseByDefault('0'),
        requestDown: pauseByDefault('1'),
      }),
    ],
    examples: {
      'ImageCommit requestUp': [['container=c', 'container=c&pause=0'], ['pause=1']],
      'ImageCommit requestDown': [['container=c', 'container=c&pause=1']],
    },
  },
] satisfies Change[]
