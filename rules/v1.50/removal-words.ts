import type { Change } from '../../src/translate/change.ts'
import { emulated } from '../../src/translate/ops.ts'
import { byAskedName, byOwnName } from '../emulate/removal-words.ts'

const OWN = '409 cannot remove container "/web": container is paused and must be unpaused first'
const ASKED = '409 cannot remove container "0a1b": container is paused and must be unpaused first'

export const removalWords = {
  id: '1.50/removal-words',
  gate: 'release',
  summary: 'The error for removing a running container names it as in the request; before, by its own name.',
  see: 'daemon/delete.go:cleanupContainer @v28.1.1; containerRm @v28.2.2; seen on 26.1 and 28.5',
  ops: [
    emulated('ContainerDelete', 'the error has the own name of the running container', {
      part: 'error',
      responseDown: byOwnName,
      responseUp: byAskedName,
    }),
  ],
  examples: {
    'ContainerDelete responseDown error': [
      [ASKED, OWN, { params: { name: '0a1b' }, calls: { 'GET /containers/0a1b/json': { body: { Name: '/web' } } } }],
    ],
    'ContainerDelete responseUp error': [[OWN, ASKED, { params: { name: '0a1b' } }]],
  },
} satisfies Change
