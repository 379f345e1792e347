import { byHand, type Changes, headRetyped, isTrue } from '../src/translate/ops.ts'

const PRUNES = ['ContainerPrune', 'ImagePrune', 'VolumePrune', 'NetworkPrune', 'BuildPrune'] as const

export default {
  '1.57/prune-stream': {
    gate: 'prefix',
    summary: 'A prune can stream each deletion as it happens, and the report at the end.',
    // Commit 017c45f3 lists it under 1.56; the released document of 1.56 does not have it.
    see: 'api/docs/CHANGELOG.md (moby 017c45f3); not in api/docs/v1.56.yaml (1bb816fa)',
    ops: [
      headRetyped(PRUNES, 'query stream', { toNewer: null, toOlder: null }),
      byHand(PRUNES, 'the report can be a stream', {
        responseUp: (message, { call }) => {
          if (!isTrue(call.query.get('stream')) || message.body === undefined) return
          message.body = { aux: message.body }
          message.headers.set('Content-Type', 'application/jsonl')
        },
      }),
    ],
    examples: {
      'ImagePrune responseUp': [
        [
          { headers: { 'Content-Type': 'application/json' }, body: { SpaceReclaimed: 0 } },
          { headers: { 'Content-Type': 'application/jsonl' }, body: { aux: { SpaceReclaimed: 0 } } },
          { asked: { query: 'stream=1' } },
        ],
      ],
      'ImagePrune responseUp body.SpaceReclaimed': [[0, 0, { asked: { query: 'stream=0' } }]],
    },
  },
} satisfies Changes
