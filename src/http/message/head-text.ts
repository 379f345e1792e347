import type { Fields } from './head.ts'
import type { Malformed } from './malformed.ts'
import { REASONS } from './reasons.ts'

/** A response head in latin1, as sent. `more`: further field lines, each with its CRLF. */
export function headText(minor: 0 | 1, status: number, reason: string, fields: Fields, more = ''): string {
  let text = `HTTP/1.${minor} ${status} ${reason}\r\n`
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`
  return `${text}${more}\r\n`
}

/** The response to malformed HTTP, in net/http's form (server.go, `badRequestError` and `statusError`). */
export function rejectionText({ status, code }: Malformed): string {
  const reason = REASONS[status] ?? ''
  const type = ['Content-Type', 'text/plain; charset=utf-8']
  const head = headText(1, status, reason, [...type, 'Enginebridge-Error', code, 'Connection', 'close'])
  return `${head}${status} ${reason}`
}
