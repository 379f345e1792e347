import { Headers, type ReadonlyHeaders } from '../headers.ts'
import type { Malformed } from './malformed.ts'
import { REASONS } from './reasons.ts'

/** A response head in latin1, as sent. `more`: further field lines, each with its CRLF. */
export const headText = (minor: 0 | 1, status: number, reason: string, { lines }: ReadonlyHeaders, more = ''): string =>
  `HTTP/1.${minor} ${status} ${reason}\r\n${lines}${more}\r\n`

/** The response to malformed HTTP, in net/http's form (server.go, `badRequestError` and `statusError`). */
export function rejectionText({ status, code }: Malformed): string {
  const reason = REASONS[status] ?? ''
  const type = ['Content-Type', 'text/plain; charset=utf-8']
  const headers = Headers.fromRaw([...type, 'Enginebridge-Error', code, 'Connection', 'close'])
  return `${headText(1, status, reason, headers)}${status} ${reason}`
}
