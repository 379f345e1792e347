import type { Change } from '../../src/translate/change.ts'
import { inWords, type Reworded, reworded, rewordedExamples } from '../by-hand/reworded.ts'

const PREFIX = 'failed to set up container networking: '
const PORTS = 'driver failed programming external connectivity on endpoint $1'
const ENDPOINT = `web (${'0123'.repeat(16)}): Bind for 0.0.0.0:80 failed: port is already allocated`

const rows: readonly Reworded[] = [
  inWords('ContainerStart', `500 ${PORTS}`, `500 ${PREFIX}${PORTS}`, [['[^]*', ENDPOINT]]),
  inWords('ContainerStart', '404 network $1 not found', `404 ${PREFIX}network $1 not found`, [['\\S+', 'front']]),
  { ...inWords('ContainerStart', '500 $1', `500 ${PREFIX}$1`, [['[^]*', 'no address is left']]), only: 'down' },
  {
    ...inWords(
      'ContainerRestart',
      '500 Cannot restart container $1: $2',
      `500 Cannot restart container $1: ${PREFIX}$2`,
      [
        ['\\S+', 'web'],
        ['[^]*', 'network front not found'],
      ],
    ),
    only: 'down',
  },
]

export const errorWords = {
  id: '1.49/error-words',
  gate: 'release',
  summary: 'The error of a start has a prefix about the network setup.',
  see: 'daemon/container_operations.go:errSetupNetworking @v28.1.0, not @v28.0.0; seen on 28.5 with a port in use',
  ops: reworded(rows),
  examples: rewordedExamples(rows),
} satisfies Change
