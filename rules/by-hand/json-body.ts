import { ProxyError } from '../../src/api/errors.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

/** Status 500 on engines 1.6 … 1.12, 400 later (recordings copy-noct, copy-badjson, start-hc-noct, start-hc-text, start-hc-badjson). */
export const badBody = (text: string): ProxyError => new ProxyError('bad-request', text, { status: 500 })

/** Refuses a body that engines up to 1.12 do not read. */
export function requireJson({ headers, text }: RequestMessage, call: 'copy' | 'start'): void {
  const type = headers.get('Content-Type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw badBody(`Content-Type specified (${type}) must be 'application/json'`)
  if (text !== undefined) throw badBody(`invalid JSON in the body of ${call}`)
}
