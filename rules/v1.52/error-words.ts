import { below, onlyIn, type Shape } from '../../src/api/shapes/shape.ts'
import { ProgressRecord } from '../../src/api/shapes/shapes.ts'
import type { Change, Op } from '../../src/translate/change.ts'
import { retyped } from '../../src/translate/ops.ts'
import { inWords, inWordsDown, type Reworded, reworded } from '../by-hand/reworded.ts'
import { addresses } from './address-words.ts'

const rows: readonly Reworded[] = [
  {
    on: 'SystemAuth',
    before: { status: 500, says: /^(?:invalid character .*|unexpected EOF|EOF|json: .*)$/, text: '$1' },
    after: {
      status: 400,
      says: /^invalid X-Registry-Auth header: invalid JSON: (.*)$/,
      text: 'invalid X-Registry-Auth header: invalid JSON: $0',
    },
    samples: [{ before: 'EOF', after: 'invalid X-Registry-Auth header: invalid JSON: EOF' }],
  },
  inWords('ContainerPause', '409 Container $1 is already paused', '409 container $1 is already paused'),
  inWordsDown(
    'ContainerCreate', // an invalid host port still has the older text
    '400 invalid port specification: "$1"',
    "400 invalid JSON: invalid port '$1': invalid syntax",
  ),
  inWords(
    'ContainerCreate', // the other operations still have the older text
    '400 invalid JSON: got EOF while reading request body',
    '400 invalid JSON: EOF',
  ),
  ...addresses,
]

const NO_MANIFEST = 'invalid archive: does not contain a manifest.json'
const NO_REPOSITORIES = /^open \S*\/repositories: no such file or directory$/

const LoadRecord = onlyIn(ProgressRecord, 'ImageLoad')
const SAMPLE = 'open /var/lib/docker/tmp/docker-import-1/repositories: no such file or directory'

/** daemon/internal/image/tarexport/load.go:Load @docker-v29.0.0 */
const emptyArchive = (shape: Shape, member: string): Op =>
  retyped(shape, member, {
    samples: {
      toNewer: [
        [SAMPLE, NO_MANIFEST],
        ['unexpected EOF', 'unexpected EOF'],
      ],
    },
    sides: 'response',
    toNewer: (text) => (NO_REPOSITORIES.test(String(text)) ? NO_MANIFEST : undefined),
  })

export const errorWords = {
  summary: 'An invalid login is 400, not 500; errors about addresses, ports and paused containers differ.',
  see: 'daemon/server/router, api/types/network @docker-v29.0.0; seen on 20.10, 26.1, 28.5 and 29.8',
  ops: [
    ...reworded(rows),
    // Not for older clients: the older text names a path on the engine's disk.
    emptyArchive(LoadRecord, 'error'),
    emptyArchive(below(LoadRecord, 'errorDetail'), 'message'),
  ],
} satisfies Change
