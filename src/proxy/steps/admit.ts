import { ProxyError } from '../../api/errors.ts'
import type { Call } from '../../api/read-call.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import type { Headers } from '../../http/headers.ts'
import { connectionOf } from '../../http/listener.ts'
import { Answer } from '../../translate/message.ts'
import type { Core, Door } from '../core.ts'

/**
 * Rejects expectations other than 100-continue, which no engine meets (RFC 9110, 10.1.1). Throws a ProxyError; the
 * connection's remaining bytes are not read.
 */
export function checkExpectation(request: ClientRequest, response: ClientResponse, entry?: Entry): void {
  const expect = request.headers.get('expect')
  if (expect === undefined || request.minor === 0 || expect.toLowerCase() === '100-continue') return
  response.closeAfter()
  if (entry !== undefined) entry.endedBy ??= 'bridge'
  throw new ProxyError('bad-request', `cannot meet the expectation ${JSON.stringify(expect)}`, { status: 417 })
}

/** Applies limits and checks the origin. Throws a ProxyError, or a response that needs no engine. */
export function admit(bridge: Core, door: Door, request: ClientRequest, call: Call): Headers {
  const { metrics } = bridge
  door.checkOrigin?.(request.headers, call.url) // first: a web page must not use up the rate of its user
  bridge.admit(metrics.open + metrics.unread, connectionOf(request.socket).remoteAddress ?? door.name)
  if (call.localResponse !== undefined) throw call.localResponse
  if (call.method === 'OPTIONS') throw new Answer(200)
  checkDraining(bridge)
  return request.headers.copy()
}

/** Throws a ProxyError. */
export function checkDraining({ draining }: Pick<Core, 'draining'>): void {
  if (draining()) throw new ProxyError('draining', 'the bridge is shutting down')
}
