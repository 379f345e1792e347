import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { speaksHttp2 } from '../../api/version.ts'
import type { Watched } from '../../audit/watched.ts'
import { takeBody } from '../../http/client/read-body.ts'
import { PREFACE, PREFACE_REST } from '../../http/client/request-reader.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { Headers } from '../../http/headers.ts'
import { join } from '../../http/tunnel.ts'
import { untouched } from '../../translate/plans.ts'
import type { Door } from '../core.ts'
import { Exchange } from '../exchange.ts'
import { watchOf } from '../lanes/tunnel.ts'
import { checkDraining } from '../steps/admit.ts'
import type { CallState } from '../steps/call-state.ts'

/** A connection that starts with the HTTP/2 preface. */
type Begun = Pick<Watched, 'request' | 'call' | 'entry'> & { readonly response: ClientResponse }

/** Decides whether HTTP/2 may pass to the engine. Throws a ProxyError, after which the connection closes. */
export async function openHttp2(state: CallState, door: Door, begun: Begun): Promise<Exchange> {
  const { core } = state
  const { request, response, call, entry } = begun
  const { discovery, limits, admit, metrics } = core
  response.closeAfter()
  // `Host` and `Origin` of the calls are inside the HTTP/2 stream, where the bridge cannot check them.
  if (door.checkOrigin !== undefined)
    throw new ProxyError(
      'forbidden',
      'HTTP/2 is served on unix sockets only: on TCP every call is checked; use HTTP/1.1',
    )
  admit(metrics.open + metrics.unread, door.name)
  checkDraining(core)
  const rest = await takeBody(request, response, limits, { bytesIn: 0 })
  if (rest.toString('latin1') !== PREFACE_REST) throw new ProxyError('bad-request', 'invalid HTTP/2 preface')
  const facts = await discovery.facts(false)
  checkEngine(facts, core.engine.encrypted)
  const version = { client: facts.highest, target: facts.highest }
  const plan = untouched({ ...version, highest: facts.highest })
  await entry.forwarding({ ...version, lane: 'tunnel', changes: plan.changes })
  return new Exchange(core, {
    ...{ clientRequest: request, clientResponse: response, hasBody: false, call, headers: new Headers(), plan, facts },
    ...{ addressee: { wirePath: call.wirePath, params: {}, mapsIds: false }, entry, checkBody: undefined },
    observer: state.observe({ call, entry, request }),
    guard: door.access?.(entry),
  })
}

/** HTTP/2 support can only be derived from the version; Podman, and Docker's own TLS listeners (up to 29), lack it. */
function checkEngine({ highest, product, release }: EngineFacts, encrypted: boolean): void {
  const lacks = !speaksHttp2(highest) || product !== undefined
  if (!lacks && !encrypted) return
  const engine = `the engine (${product ?? 'Docker'} ${release})`
  const what = lacks ? 'does not speak HTTP/2 without an upgrade' : 'does not speak HTTP/2 over TLS'
  throw new ProxyError('bad-request', `${engine} ${what}; use HTTP/1.1`, { status: 505 })
}

/** Relays between client and engine, starting with the preface, until both have ended. */
export async function carryHttp2(exchange: Exchange): Promise<void> {
  const { clientResponse, entry, observer, call } = exchange
  const tunnel = await exchange.tunnel({ method: call.method, path: call.wirePath, headers: new Headers() })
  entry.timing.engineResponded()
  if (clientResponse.gone) {
    entry.endedBy ??= 'client'
    tunnel.close()
    return
  }
  entry.recordOpen(101)
  observer?.response('clientResponse', { status: 101, headers: new Headers() })
  const { socket, early } = clientResponse.hijack()
  // A half-close by an HTTP/2 client ends the call.
  socket.once('end', () => {
    entry.endedBy ??= 'client'
  })
  await join({ socket, early: Buffer.concat([PREFACE, early]) }, tunnel, watchOf(exchange))
}
