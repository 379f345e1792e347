import type { EngineRequest, EngineTunnel } from '../../http/engine/request.ts'
import type { Headers } from '../../http/headers.ts'
import { type ByteFilter, join, type TunnelWatch } from '../../http/tunnel.ts'
import {
  enginePath,
  forwardedHeaders,
  saysEmpty,
  takeRequestBody,
  translateRequest,
} from '../engine-side/engine-request.ts'
import { carry } from '../engine-side/engine-response.ts'
import type { EngineHead, Receiver, SwitchedHead } from '../engine-side/receiver.ts'
import { reasonFor, translateHead } from '../engine-side/reply.ts'
import type { Exchange } from '../exchange.ts'
import { PassedThrough } from './pass.ts'

/**
 * Hijacked connections: attach, exec start, session, websocket. The engine is always sent `Upgrade`, so that it
 * switches to a raw connection; a client that hijacked without `Upgrade` (docker-py before 1.9, Compose before 1.8)
 * gets the raw 200 that an engine sends to a request without it. Any other response is an ordinary one.
 */
export async function tunnelLane(exchange: Exchange, upgrade: string | undefined): Promise<void> {
  const body = takesBody(exchange) ? await takeRequestBody(exchange) : undefined
  const translated = await translateRequest(exchange, body)
  const request = upgradeRequest(exchange, upgrade, translated)
  await carry(
    exchange,
    request,
    (head) => ordinary(exchange, head, upgrade),
    (head, tunnel) => open(exchange, head, tunnel, upgrade),
  )
}

/** Attach and session have no body: Docker ignores dockerode's, and Podman would treat it as the container's input. */
const takesBody = ({ call, clientRequest, hasBody }: Exchange): boolean =>
  hasBody && (call.match?.operation.request !== 'none' || clientRequest.framing.kind === 'length')

function upgradeRequest(exchange: Exchange, upgrade: string | undefined, body: Buffer | undefined): EngineRequest {
  const { message, call } = exchange
  const bodiless = call.match?.operation.request === 'none'
  const headers = forwardedHeaders(message.headers)
  headers.set('Connection', 'Upgrade')
  headers.set('Upgrade', upgrade ?? 'tcp')
  const whole = body !== undefined && body.length > 0 && !bodiless ? body : null
  // With a Content-Length: otherwise an engine that does not switch would read the following bytes as the next request,
  // and Podman as input.
  if (whole === null && (message.method !== 'GET' || saysEmpty(exchange.clientRequest, body)))
    headers.set('Content-Length', '0')
  const path = enginePath(exchange)
  return { method: message.method, path, headers, body: whole, hijackAs: hijackAs(exchange, upgrade) }
}

const hijackAs = ({ call, message }: Exchange, upgrade: string | undefined): 'tunnel' | 'websocket' =>
  call.match?.operation.name === 'ContainerAttachWebsocket' &&
  message.method === 'GET' &&
  upgrade?.toLowerCase() === 'websocket'
    ? 'websocket'
    : 'tunnel'

/**
 * A response without a switch: the engine declined the upgrade, or it sent logs, which only the specification upgrades
 * (`--profile spec`): the bridge does that for the client.
 */
function ordinary(exchange: Exchange, head: EngineHead, upgrade: string | undefined): Receiver {
  const message = translateHead(exchange, head.status, head.headers)
  if (message.status !== 101 || upgrade === undefined) return new PassedThrough(exchange, head)
  message.headers.delete('Content-Length')
  message.headers.set('Connection', 'Upgrade')
  message.headers.set('Upgrade', upgrade)
  exchange.entry.recordOpen(101)
  exchange.observer?.response('clientResponse', { status: 101, headers: message.headers })
  const { socket } = exchange.clientResponse.switch(101, 'UPGRADED', message.headers)
  socket.on('drain', () => head.call.resume())
  socket.once('close', () => head.call.abort())
  socket.once('end', () => head.call.halfClose())
  socket.resume()
  return {
    data: (piece) => {
      exchange.entry.bytesOut += piece.length
      exchange.observer?.body('clientResponse', piece)
      if (!socket.write(Buffer.from(piece))) head.call.pause()
    },
    end: () => void socket.end(),
    failed: () => void socket.destroy(),
  }
}

const RAW = 'application/vnd.docker.raw-stream'
const MULTIPLEXED = 'application/vnd.docker.multiplexed-stream'

/** Head of the client's response for an opened tunnel: the engine's own 101, or the raw 200. */
function openingHead(
  exchange: Exchange,
  head: SwitchedHead,
  upgrade: string | undefined,
): SwitchedHead & { headers: Headers } {
  const { headers } = translateHead(exchange, head.status, head.headers)
  // Docker.DotNet breaks on an added length or coding, and on a reason other than UPGRADED.
  headers.delete('Content-Length')
  if (upgrade === undefined) {
    headers.delete('Connection')
    headers.delete('Upgrade')
    // Engines announce the multiplexed stream only after an upgrade (moby, container_routes.go:postContainersAttach).
    if (headers.get('Content-Type') === MULTIPLEXED) headers.set('Content-Type', RAW)
    return { status: 200, reason: 'OK', headers }
  }
  if (!headers.has('Connection')) headers.set('Connection', 'Upgrade')
  if (!headers.has('Upgrade')) headers.set('Upgrade', upgrade)
  // Engines that predate upgrades send a raw 200; a client that asked for an upgrade gets a 101.
  return head.status === 101
    ? { status: 101, reason: reasonFor(101, head), headers }
    : { status: 101, reason: 'UPGRADED', headers }
}

/** Relays both directions until both have ended. */
async function open(
  exchange: Exchange,
  head: SwitchedHead,
  tunnel: EngineTunnel,
  upgrade: string | undefined,
): Promise<void> {
  const { clientRequest, clientResponse, entry, observer } = exchange
  const { status, reason, headers } = openingHead(exchange, head, upgrade)
  entry.recordOpen(status)
  observer?.response('clientResponse', { status, headers })
  const filter = clientRequest.complete ? undefined : new LastChunkFilter()
  const client = clientResponse.switch(status, reason, headers)
  await join(client, tunnel, watchOf(exchange, filter))
}

/** Counts the bytes and shows them to the observer. */
export const watchOf = ({ entry, observer }: Exchange, filter?: ByteFilter): TunnelWatch => ({
  filter,
  passed: (from, chunk) => {
    if (from === 'engine') entry.bytesOut += chunk.length
    else entry.bytesIn += chunk.length
    observer?.stream(from, chunk)
  },
  endedBy: (side) => {
    entry.endedBy ??= side
  },
})

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * dockerode opens a session with `Transfer-Encoding: chunked` and only the last chunk: removes it from the stream, even
 * if its bytes arrive separately. All other bytes pass.
 */
class LastChunkFilter implements ByteFilter {
  #matched = 0
  #over = false

  take(chunk: Buffer): Buffer {
    if (this.#over) return chunk
    const wanted = LAST_CHUNK.subarray(this.#matched, this.#matched + chunk.length)
    if (!chunk.subarray(0, wanted.length).equals(wanted)) return Buffer.concat([this.rest(), chunk])
    this.#matched += wanted.length
    this.#over = this.#matched === LAST_CHUNK.length
    return chunk.subarray(wanted.length)
  }

  rest(): Buffer {
    const held = this.#over ? NOTHING : LAST_CHUNK.subarray(0, this.#matched)
    this.#over = true
    return held
  }
}

const NOTHING = Buffer.alloc(0)
