import { type OperationName, operationNamed, operationNames } from '../../src/api/operations.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'

/** Every operation with a JSON body but auth, whose errors are 500 to this day (20.10 and 28.5, asked). */
export const READS_JSON: readonly OperationName[] = operationNames.filter(
  (name) => operationNamed(name).request === 'json' && name !== 'SystemAuth',
)

/** Their filters were read by the same decoder. */
export const READS_FILTERS = ['ContainerList', 'ImageList', 'NetworkList', 'SystemEvents', 'VolumePrune'] as const

/** These decoded by hand up to 20.10; the rest had a reader of their own, which answered 400 from 17.06 on. */
const BY_HAND = new Set<OperationName>(['ContainerCreate', 'ContainerUpdate', 'ImageCommit'])
const READER_FROM = apiVersion(30)

const PREFIX = 'invalid JSON: '
const DECODER = /^(invalid character |unexpected EOF$|json: cannot unmarshal |EOF$)/
const READER_EOF = 'got EOF while reading request body'

/** `invalid JSON: …` with 400 as the engines before wrote it. */
export function decoderError(message: ResponseMessage, { client, operation }: StepContext): void {
  if (message.status !== 400 || !message.text?.startsWith(PREFIX)) return
  message.text = message.text.slice(PREFIX.length)
  if (!BY_HAND.has(operation) && client >= READER_FROM) return
  message.status = 500
  if (message.text === READER_EOF) message.text = 'EOF'
}

/** The decoder's own words with 500 or 400 as newer engines write them. */
export function readerError(message: ResponseMessage): void {
  if (message.status !== 500 && message.status !== 400) return
  if (message.text === undefined || !(DECODER.test(message.text) || message.text === READER_EOF)) return
  message.status = 400
  message.text = `${PREFIX}${message.text === 'EOF' ? READER_EOF : message.text}`
}

/** What was wrong with the filters is not known any more: only the status is the older one. */
export function filterStatus(message: ResponseMessage): void {
  if (message.status === 400 && message.text === 'invalid filter') message.status = 500
}

export function filterError(message: ResponseMessage): void {
  if (message.status !== 500 || message.text === undefined || !DECODER.test(message.text)) return
  message.status = 400
  message.text = 'invalid filter'
}
