import type { Change } from '../src/translate/change.ts'
import type { RequestMessage } from '../src/translate/message.ts'
import { byHand } from '../src/translate/ops.ts'

const says =
  (pause: '0' | '1') =>
  ({ query }: RequestMessage): void => {
    if ((query.get('pause') ?? '') === '') query.set('pause', pause)
  }

export default [
  {
    id: '1.13/commit-pauses',
    gate: 'prefix',
    summary: 'A commit pauses its container, unless it is told not to; before it did so only when told.',
    see: 'api/server/router/container/container_routes.go @v20.10.24, postCommit',
    ops: [
      byHand('ImageCommit', 'whether it pauses is said where the client leaves it open', {
        part: 'head',
        requestUp: says('0'),
        requestDown: says('1'),
      }),
    ],
    examples: [
      {
        on: 'ImageCommit',
        leg: 'requestUp',
        before: { query: 'container=c' },
        after: { query: 'container=c&pause=0' },
      },
      { on: 'ImageCommit', leg: 'requestUp', before: { query: 'pause=1' }, after: { query: 'pause=1' } },
      {
        on: 'ImageCommit',
        leg: 'requestDown',
        before: { query: 'container=c' },
        after: { query: 'container=c&pause=1' },
      },
    ],
  },
] satisfies Change[]
