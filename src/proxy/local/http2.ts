import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import type { Call } from '../../api/read-call.ts'
import { speaksHttp2 } from '../../api/version.ts'
import type { Entry } from '../../audit/record/entry.ts'
import { finishPreface, PREFACE } from '../../http/client/preface.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { Headers } from '../../http/headers.ts'
import { join } from '../../http/tunnel.ts'
import { untouched } from '../../translate/compile.ts'
import { Exchange } from '../exchange.ts'
import type { Door, Journey } from '../journey.ts'
import { watchOf } from '../lanes/tunnel.ts'
import { observerOf } from '../steps/observers.ts'

/** A connection that begins with the preface of HTTP/2. */
interface Begun {
  readonly request: ClientRequest
  readonly response: ClientResponse
  readonly call: Call
  readonly entry: Entry
}

/** Sees whether HTTP/2 may go to the engine as it comes. Throws the refusal, behind which the connection closes. */
export async function openHttp2(journey: Journey, door: Door, begun: Begun): Promise<Exchange> {
  const { request, response, call, entry } = begun
  const { discovery, limits, admission, metrics } = journey
  response.closeAfter()
  // The calls have their own Host and Origin inside.
  if (door.checkOrigin !== undefined)
    throw new ProxyError(
      'forbidden',
      'HTTP/2 is served on unix sockets only: on TCP every call is checked; use HTTP/1.1',
    )
  admission?.admit(metrics.open, door.name)
  if (journey.draining()) throw new ProxyError('draining', 'the bridge is shutting down')
  await finishPreface(request, limits.headerMs)
  const facts = await discovery.facts(false)
  checkEngine(facts, journey.engine.encrypted)
  const version = { client: facts.highest, target: facts.highest }
  const plan = untouched({ ...version, highest: facts.highest })
  const stored = entry.forwarding({ ...version, lane: 'tunnel', changes: plan.changes })
  if (stored !== undefined) await stored
  const watched = { call, operation: undefined, plan, lane: 'tunnel', entry, request }
  return new Exchange(journey, {
    ...{ clientRequest: request, clientResponse: response, formRead: false, call, headers: new Headers(), plan, facts },
    ...{ addressee: { wirePath: call.wirePath, params: {}, mapsIds: false }, entry, checkBody: undefined },
    observer: observerOf(journey.observers, watched, entry.observer),
    guard: door.access?.guard(entry),
  })
}

/** Nothing but the version says that an engine speaks it; Podman, and Docker's own TLS listeners (up to 29), do not. */
function checkEngine({ highest, product, release }: EngineFacts, encrypted: boolean): void {
  const lacks = !speaksHttp2(highest) || product !== undefined
  if (!lacks && !encrypted) return
  const engine = `the engine (${product ?? 'Docker'} ${release})`
  const what = lacks ? 'does not speak HTTP/2 without an upgrade' : 'does not speak HTTP/2 over TLS'
  throw new ProxyError('bad-request', `${engine} ${what}; use HTTP/1.1`, { status: 505 })
}

/** Joins client and engine from the preface on, until both have ended. */
export async function carryHttp2(exchange: Exchange): Promise<void> {
  const { clientResponse, entry, observer, call } = exchange
  const tunnel = await exchange.tunnel({ method: call.method, path: call.wirePath, headers: [] })
  entry.heard()
  if (clientResponse.gone) {
    entry.clientLeft()
    tunnel.socket.destroy()
    return
  }
  entry.opened(101)
  observer?.answer('clientResponse', { status: 101, headers: [] })
  const { socket, rest } = clientResponse.hijack()
  // Here a client that ends its side has ended the call.
  socket.once('end', () => entry.endedBy('client'))
  await join({ socket, rest: Buffer.concat([PREFACE, rest]) }, tunnel, watchOf(exchange))
}
