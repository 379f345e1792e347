import { ByteCollector } from '../byte-collector.ts'
import { ProxyError } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { ClientRequest } from './request.ts'
import type { ClientResponse } from './response.ts'

const tooLarge = (limit: number): ProxyError =>
  new ProxyError('body-too-large', `the body is larger than ${limit} bytes (--max-request-body)`)

const announcesMore = ({ framing }: ClientRequest, limit: number): boolean =>
  framing.kind === 'length' && framing.length > limit

/** Where the bytes of a body are counted. */
export interface BytesIn {
  bytesIn: number
}

/** The client waits for 100 Continue; other expectations are rejected (src/proxy/steps/admit.ts). */
export const expectsContinue = ({ minor, headers, hasBody }: ClientRequest): boolean =>
  minor === 1 && hasBody && headers.has('expect')

/** Reads a call's body; sends 100 Continue first if the client expects it. Rejects with a ProxyError. */
export function takeBody(
  request: ClientRequest,
  response: ClientResponse,
  { 'max-request-body': limit, 'body-timeout': idleMs }: Limits,
  count: BytesIn,
): Promise<Buffer> {
  if (!request.hasBody) return Promise.resolve(Buffer.alloc(0))
  if (announcesMore(request, limit)) return Promise.reject(tooLarge(limit))
  if (expectsContinue(request)) response.interim(100, 'Continue')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const collector = new ByteCollector()
  const late = (): void =>
    reject(new ProxyError('request-timeout', `no data of the request body for ${idleMs / 1000} s (--body-timeout)`))
  const timer = idleMs > 0 ? setTimeout(late, idleMs) : undefined
  request.stream({
    data: (piece) => {
      timer?.refresh()
      count.bytesIn += piece.length
      if (collector.size + piece.length <= limit) collector.add(piece)
      else {
        collector.clear()
        reject(tooLarge(limit))
      }
    },
    end: () => resolve(collector.whole()),
    failed: reject,
  })
  return promise.finally(() => clearTimeout(timer))
}
