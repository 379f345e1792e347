import { ProxyError } from '../../api/errors.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'

/**
 * Rejects requests that HTTP allows and no engine serves. Throws a ProxyError; the connection's remaining bytes are not
 * read.
 */
export function checkRequest(request: ClientRequest, response: ClientResponse, entry?: Entry): void {
  const refusal = refusalOf(request)
  if (refusal === undefined) return
  response.closeAfter()
  entry?.endedBy('bridge')
  throw refusal
}

function refusalOf(request: ClientRequest): ProxyError | undefined {
  if (request.method === 'CONNECT')
    return new ProxyError('bad-request', 'CONNECT is not supported: enginebridge forwards calls only to its engine')
  const expect = request.field('expect')
  if (expect !== undefined && request.minor === 1 && expect.toLowerCase() !== '100-continue')
    return new ProxyError('bad-request', `cannot meet the expectation ${JSON.stringify(expect)}`, { status: 417 })
  return undefined
}
