import { ProxyError } from '../../api/errors.ts'
import type { Call } from '../../api/read-call.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import { Headers } from '../../http/headers.ts'
import { Answer } from '../../translate/message.ts'
import type { Door, Journey } from '../journey.ts'

/** Applies limits and checks the headers. Throws a ProxyError, or a response that needs no engine. */
export function admit(bridge: Journey, door: Door, request: ClientRequest, call: Call): Headers {
  if (call.instead !== undefined) throw call.instead
  const headers = Headers.fromRaw(request.fields)
  door.checkOrigin?.(headers, call.url)
  bridge.admission?.admit(bridge.metrics.open, request.socket.remoteAddress ?? door.name)
  if (call.method === 'OPTIONS') throw new Answer(200)
  if (bridge.draining()) throw new ProxyError('draining', 'the bridge is shutting down')
  return headers
}
