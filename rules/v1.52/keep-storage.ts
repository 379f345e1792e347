import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

const BEFORE = 'keep-storage'
const AFTER = 'reserved-space'

export const keepStorageRenamed = {
  gate: 'prefix',
  from: '1.48', // engines from 28.0 on know both names
  summary: 'A prune of the build cache takes reserved-space instead of keep-storage; both since 1.48.',
  see: 'docs/api/version-history.md v1.48, v1.52; api/server/router/build/build_routes.go:postPrune @v28.5.2',
  ops: byHand('BuildPrune', 'the parameter is renamed', {
    part: 'head',
    requestUp: ({ query }) => {
      query.delete(AFTER) // unknown to the client's engines
      rename(query, BEFORE, AFTER)
    },
    requestDown: ({ query }) => {
      // The engine reads the old name if the new one is 0.
      if (query.get(AFTER) === '0') query.delete(AFTER)
      rename(query, AFTER, BEFORE)
    },
  }),
  examples: {
    'BuildPrune requestUp': [
      ['all=1&keep-storage=5', 'all=1&reserved-space=5'],
      ['keep-storage=5&reserved-space=7', 'reserved-space=5'],
    ],
    'BuildPrune requestDown': [
      ['all=1&reserved-space=5', 'all=1&keep-storage=5'],
      ['reserved-space=7&keep-storage=5', 'keep-storage=7'],
      ['reserved-space=0&keep-storage=5', 'keep-storage=5'],
    ],
  },
} satisfies Change

function rename(query: URLSearchParams, from: string, to: string): void {
  const value = query.get(from)
  if (value === null) return
  query.delete(from)
  query.set(to, value)
}
