import type { Change } from '../../src/translate/change.ts'
import { emulated } from '../../src/translate/ops.ts'
import { byId, byNameInsteadOfId } from '../emulate/removal-words.ts'

const ID = '0123'.repeat(16)
const looksUp = { params: { name: 'web' }, calls: { 'GET /containers/web/json': { body: { Id: ID, Name: '/web' } } } }
const RUNNING = `409 You cannot remove a running container ${ID}. Stop the container before attempting removal or force remove`
const PAUSED = `409 You cannot remove a paused container ${ID}. Unpause and then stop the container before attempting removal or force remove`

export default {
  summary: 'The error for removing a running container has its name; before, its id.',
  see: 'daemon/delete.go:cleanupContainer @v20.10.24, @v24.0.9, @v25.0.17; moby integration/container/remove_test.go @v20.10.24',
  ops: emulated('ContainerDelete', 'the error names the running container by its id', {
    part: 'error',
    responseDown: byId,
    responseUp: byNameInsteadOfId,
  }),
  examples: {
    'ContainerDelete responseDown error': [
      [
        '409 cannot remove container "/web": container is running: stop the container before removing or force remove',
        RUNNING,
        looksUp,
      ],
      ['409 cannot remove container "web": container is paused and must be unpaused first', PAUSED, looksUp],
      ['500 cannot remove container "/web": could not kill: x'],
    ],
    'ContainerDelete responseUp error': [
      [
        RUNNING,
        '409 cannot remove container "web": container is running: stop the container before removing or force remove',
        { params: { name: 'web' }, client: '1.51' },
      ],
      [
        PAUSED,
        '409 cannot remove container "/web": container is paused and must be unpaused first',
        { ...looksUp, client: '1.44' },
      ],
    ],
  },
} satisfies Change
