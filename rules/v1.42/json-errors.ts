import { type OperationName, operationNamed, operationNames } from '../../src/api/operations.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, type Change } from '../../src/translate/ops.ts'

/** All operations with a JSON body except auth, whose errors are still 500 (seen on 20.10 and 28.5). */
export const READS_JSON: readonly OperationName[] = operationNames.filter(
  (name) => operationNamed(name).request === 'json' && name !== 'SystemAuth',
)

/** Operations whose filters are read by the same decoder. */
const READS_FILTERS = ['ContainerList', 'ImageList', 'NetworkList', 'SystemEvents', 'VolumePrune'] as const

/** Up to 20.10 these decode themselves; the others use a common reader, which answers 400 from 17.06 on. */
const BY_HAND = new Set<OperationName>(['ContainerCreate', 'ContainerUpdate', 'ImageCommit'])
const READER_FROM = apiVersion(30)

const PREFIX = 'invalid JSON: '
const DECODER = /^(invalid character |unexpected EOF$|json: cannot unmarshal |EOF$)/
const READER_EOF = 'got EOF while reading request body'

/** Turns 400 `invalid JSON: …` into the error of older engines. */
function decoderError(message: ResponseMessage, { client, operation }: StepContext): void {
  if (message.status !== 400 || !message.text?.startsWith(PREFIX)) return
  message.text = message.text.slice(PREFIX.length)
  if (!BY_HAND.has(operation) && client >= READER_FROM) return
  message.status = 500
  if (message.text === READER_EOF) message.text = 'EOF'
}

/** Turns the decoder's text, with 500 or 400, into the error of newer engines. */
function readerError(message: ResponseMessage): void {
  if (message.status !== 500 && message.status !== 400) return
  if (message.text === undefined || !(DECODER.test(message.text) || message.text === READER_EOF)) return
  message.status = 400
  message.text = `${PREFIX}${message.text === 'EOF' ? READER_EOF : message.text}`
}

/** The newer text does not say why the filters are invalid: restores only the status. */
function filterStatus(message: ResponseMessage): void {
  if (message.status === 400 && message.text === 'invalid filter') message.status = 500
}

function filterError(message: ResponseMessage): void {
  if (message.status !== 500 || message.text === undefined || !DECODER.test(message.text)) return
  message.status = 400
  message.text = 'invalid filter'
}

export default {
  summary: 'Bodies and filters that are not JSON get 400; before, many got 500.',
  see: 'api/server/httputils/httputils.go:ReadJSON @v23.0.0; recordings 1.6.2 … 20.10, create-badjson, exec-create-badjson, list-filter-badjson',
  ops: [
    byHand(READS_JSON, 'the error of a body is that of the decoder', {
      part: 'error',
      responseDown: decoderError,
      responseUp: readerError,
    }),
    byHand(READS_FILTERS, 'bad filters are 500', {
      part: 'error',
      responseDown: filterStatus,
      responseUp: filterError,
    }),
  ],
  examples: {
    'ContainerCreate responseDown error': [
      ['400 invalid JSON: invalid character b', '500 invalid character b'],
      ['400 invalid JSON: got EOF while reading request body', '500 EOF'],
    ],
    'ContainerExec responseDown error': [
      ['400 invalid JSON: unexpected EOF', '400 unexpected EOF'],
      ['400 invalid JSON: unexpected EOF', '500 unexpected EOF', { client: '1.22' }],
    ],
    'ContainerList responseDown error': [['400 invalid filter', '500 invalid filter']],
    'ContainerCreate responseUp error': [['500 EOF', '400 invalid JSON: got EOF while reading request body']],
    'SystemEvents responseUp error': [
      ["500 invalid character 'o' in literal null (expecting 'u')", '400 invalid filter'],
    ],
  },
} satisfies Change
