import type { Change } from '../../src/translate/change.ts'
import { inWords, type Reworded, reworded, rewordedExamples } from '../by-hand/reworded.ts'

const RANGE = 'ange of CPUs is from 0.01 to $1'
const OVERLAP = 'Pool overlaps with other one on this address space'

const rows: readonly Reworded[] = [
  inWords(['ContainerCreate', 'ContainerUpdate'], `400 R${RANGE}`, `400 r${RANGE}`, [
    ['.*', '2.00, as there are only 2 CPUs available'],
  ]),
  inWords('NetworkCreate', `403 ${OVERLAP}`, `403 invalid pool request: ${OVERLAP}`),
]

export const errorWords = {
  id: '1.46/error-words',
  gate: 'release',
  summary: 'Errors about the range of CPUs and overlapping pools begin differently.',
  see: 'daemon/daemon_unix.go, libnetwork/ipamapi @v26.1.5, @v27.5.1; seen on 20.10, 26.1, 28.5',
  ops: reworded(rows),
  examples: rewordedExamples(rows),
} satisfies Change
