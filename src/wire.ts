import type { IncomingMessage } from 'node:http'
import { Refusal } from './errors.ts'

/** node:http keeps as many header fields and drops the rest in silence (maxHeadersCount). */
export const MOST_HEADERS = 1000

/**
 * What node's parser lets through and a proxy must not: a message of another version of HTTP, a coding that would be
 * lost on the way (the parser takes off `chunked` alone), header fields that nobody has seen. Throws the refusal.
 */
export function checkWire(req: IncomingMessage): void {
  const { httpVersionMajor, httpVersionMinor, rawHeaders } = req
  if (httpVersionMajor !== 1) throw new Refusal('bad-request', 'HTTP Version Not Supported', { status: 505 })
  if (rawHeaders.length >= MOST_HEADERS * 2)
    throw new Refusal('header-too-large', `a request may have ${MOST_HEADERS - 1} header fields`)
  const coding = rawHeader(req, 'transfer-encoding')
  if (coding === undefined) return
  if (httpVersionMinor === 0) throw new Refusal('bad-request', 'HTTP/1.0 has no Transfer-Encoding')
  if (coding.trim().toLowerCase() !== 'chunked')
    throw new Refusal('bad-request', `unsupported transfer encoding: ${JSON.stringify(coding)}`, { status: 501 })
}

/** The first header of that lower-case name, without making node's table of all of them. */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) return rawHeaders[i + 1]
  }
  return undefined
}
