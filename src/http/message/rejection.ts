import { headText } from './head-text.ts'
import type { Malformed } from './malformed.ts'
import { reasonOf } from './reasons.ts'

/** The response to malformed HTTP, in net/http's form (server.go, `badRequestError` and `statusError`). */
export function rejectionText({ status, code }: Malformed): string {
  const reason = reasonOf(status)
  const type = ['Content-Type', 'text/plain; charset=utf-8']
  const head = headText(1, status, reason, [...type, 'Enginebridge-Error', code, 'Connection', 'close'])
  return `${head}${status} ${reason}`
}
