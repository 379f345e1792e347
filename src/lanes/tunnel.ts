import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EngineRequest, Upgraded } from '../engine/connection.ts'
import { Refusal } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { Headers } from '../translate/headers.ts'
import type { TunnelCarriage, TunnelLane } from './carriage.ts'
import { readBody } from './read-body.ts'
import { type Finished, finishError, reasonFor, showFinished, translateHead } from './reply.ts'
import { enginePath, forwardedHeaders, outgoing, translateRequest } from './request.ts'
import { showRequest } from './tap.ts'

/**
 * Hijacked connections: attach, exec start, session, websocket. The engine is always asked *with* Upgrade, so that it
 * hands over a raw connection; a client that hijacked without asking (docker-py before 1.9, Compose before 1.8) gets the
 * raw 200 of an engine that saw no Upgrade header. After the heads, bytes pass untouched and each side may end first.
 */
export const tunnelLane: TunnelLane = async (carriage) => {
  const { req, socket, message, engine, limits, entry, tap } = carriage
  const bodiless = carriage.call.match?.operation.request === 'none'
  const { body, rest } = bodiless
    ? await passBody(req, socket, carriage.head, limits)
    : await takeBody(req, socket, carriage.head, limits)
  if (body !== undefined) {
    entry.received(body.length)
    tap?.body('asked', body)
  }
  const translated = await translateRequest(carriage, body)
  carriage.guard?.check(outgoing(carriage, translated))
  const headers = forwardedHeaders(message.headers)
  headers.set('Connection', 'Upgrade')
  headers.set('Upgrade', carriage.upgrade ?? 'tcp')
  // Always a length: without one node:http would send chunks, whose last one Podman takes for the container's input.
  // And with one where there is a body, whatever the method: node:http sends that of a GET without, which an engine that
  // does not switch would read as the next request.
  const length = translated?.length ?? 0
  if (message.method !== 'GET' || length > 0) headers.set('Content-Length', String(length))
  if (socket.destroyed) return entry.clientLeft() // before anything went out: nothing does
  const leaving = new AbortController()
  const left = (): void => leaving.abort()
  socket.once('close', left)
  const request: EngineRequest = {
    method: message.method,
    path: enginePath(carriage),
    headers: headers.raw(),
    body: translated ?? null,
  }
  showRequest(carriage, request)
  const upgraded = await engine.upgrade(request, leaving.signal)
  entry.heard()
  socket.off('close', left)
  switch (upgraded.kind) {
    case 'open':
      return join(carriage, upgraded, rest)
    case 'answer':
      return answerRaw(carriage, upgraded.message)
    default:
      return upgraded satisfies never
  }
}

/**
 * The request's body, which on a connection taken off the parser stands before the raw bytes: `Content-Length` says
 * where it ends. What was read beyond it belongs to the stream.
 */
async function takeBody(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  limits: Limits,
): Promise<{ body: Buffer | undefined; rest: Buffer }> {
  const announced = req.headers['content-length']
  if (req.headers['transfer-encoding'] !== undefined) {
    throw new Refusal(
      'bad-request',
      'a request that takes the connection over needs a Content-Length, not Transfer-Encoding',
    )
  }
  if (announced === undefined) return { body: undefined, rest: head }
  const length = Number(announced)
  if (length > limits.requestBody)
    throw new Refusal('body-too-large', `the body is larger than ${limits.requestBody} bytes`)
  const chunks = [head]
  for (let size = head.length; size < length; ) {
    const chunk = await nextChunk(socket, limits.bodyMs)
    size += chunk.length
    chunks.push(chunk)
  }
  const read = chunks.length === 1 ? head : Buffer.concat(chunks)
  return { body: read.subarray(0, length), rest: read.subarray(length) }
}

const RAW = 'application/vnd.docker.raw-stream'
const MULTIPLEXED = 'application/vnd.docker.multiplexed-stream'

const LAST_CHUNK = '0\r\n\r\n'

/**
 * Attach and session have no body, but dockerode sends one: its options to attach, which Docker ignores and Podman would
 * take for the container's input, and to session `Transfer-Encoding: chunked` with nothing but the last chunk.
 */
async function passBody(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  limits: Limits,
): Promise<{ body: undefined; rest: Buffer }> {
  if (req.headers['transfer-encoding'] === undefined)
    return { body: undefined, rest: (await takeBody(req, socket, head, limits)).rest }
  const empty = head.subarray(0, LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK))
  return { body: undefined, rest: empty ? head.subarray(LAST_CHUNK.length) : head }
}

function nextChunk(socket: Duplex, idleMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const ended = (): void => reject(new Refusal('bad-request', 'the connection ended before the request body'))
  const late = (): void => reject(new Refusal('request-timeout', `nothing of the body came for ${idleMs / 1000} s`))
  const timer = idleMs > 0 ? setTimeout(late, idleMs) : undefined
  const got = (chunk: Buffer): void => {
    socket.pause()
    resolve(chunk)
  }
  socket.once('data', got)
  socket.once('end', ended)
  socket.once('close', ended)
  if (socket.readableEnded || socket.destroyed) ended() // before anybody listened: it is not told again
  socket.resume()
  return promise.finally(() => {
    clearTimeout(timer)
    socket.off('data', got)
    socket.off('end', ended)
    socket.off('close', ended)
  })
}

/** As bytes: header values are latin1, as they came (RFC 9110, 5.5). */
function rawHead(status: number, reason: string, headers: Headers): Buffer {
  const lines = headers.entries().map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`, 'latin1')
}

/** The head that the client gets for an opened tunnel: the engine's own 101, or the raw 200. */
function openingHead(carriage: TunnelCarriage, engine: Extract<Upgraded, { kind: 'open' }>): Buffer {
  const { entry, tap } = carriage
  tap?.answer('answered', engine)
  const head = translateHead(carriage, engine.status, engine.headers)
  // An added length or coding, or another reason than UPGRADED, breaks Docker.DotNet.
  head.headers.delete('Content-Length')
  if (carriage.upgrade === undefined) {
    // Only those who upgrade are told that frames come (moby, container_routes.go:postContainersAttach).
    if (head.headers.get('Content-Type') === MULTIPLEXED) head.headers.set('Content-Type', RAW)
    entry.opened(200)
    tap?.answer('given', { status: 200, headers: head.headers.raw() })
    return rawHead(200, 'OK', head.headers)
  }
  entry.opened(engine.status)
  const engineUpgrade = Headers.fromRaw(engine.headers).get('Upgrade') ?? carriage.upgrade
  head.headers.set('Connection', 'Upgrade')
  head.headers.set('Upgrade', engineUpgrade)
  tap?.answer('given', { status: engine.status, headers: head.headers.raw() })
  return rawHead(engine.status, engine.reason, head.headers)
}

/** Joins the two connections until both have ended. */
function join(carriage: TunnelCarriage, engine: Extract<Upgraded, { kind: 'open' }>, rest: Buffer): Promise<void> {
  const { socket: client, entry, tap } = carriage
  const { promise, resolve } = Promise.withResolvers<void>()
  client.write(openingHead(carriage, engine))
  const fromEngine = (chunk: Buffer): void => {
    entry.sent(chunk.length)
    tap?.stream('engine', chunk)
  }
  const fromClient = (chunk: Buffer): void => {
    entry.received(chunk.length)
    tap?.stream('client', chunk)
  }
  if (engine.head.length > 0) {
    fromEngine(engine.head)
    client.write(engine.head)
  }
  if (rest.length > 0) {
    fromClient(rest)
    engine.socket.write(rest)
  }
  let closed = 0
  const over = (who: 'client' | 'engine') => (): void => {
    entry.endedBy(who)
    closed++
    ;(who === 'client' ? engine.socket : client).destroy()
    if (closed === 2) resolve()
  }
  // A client that ends its side has said all it had to say; an engine that does has ended the call.
  const ended = (): void => entry.endedBy('engine')
  if (engine.socket.readableEnded) ended()
  else engine.socket.once('end', ended)
  // Of two connections that are destroyed together, the second closes first.
  engine.socket.once('error', ended)
  client.once('error', () => entry.endedBy('client'))
  pass(client, engine.socket, fromClient, over('client'))
  pass(engine.socket, client, fromEngine, over('engine'))
  engine.reading.lend((chunk, done) => {
    fromEngine(chunk)
    if (!client.write(chunk, done)) engine.socket.pause()
  })
  return promise
}

/** One direction: bytes with backpressure, the end passed on by itself. */
function pass(from: Duplex, to: Duplex, show: (chunk: Buffer) => void, closed: () => void): void {
  from.on('data', (chunk: Buffer) => {
    show(chunk)
    if (!to.write(chunk)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
  // An end that came before the two were joined (`echo x | docker exec -i`) is not told again.
  if (from.readableEnded) to.end()
  from.on('error', () => to.destroy())
  let told = false
  const tell = (): void => {
    if (!told) closed()
    told = true
  }
  const over = (): void => {
    // Both have ended in order: the other side closes by itself once its last bytes are out, or cannot go out any more.
    if (from.readableEnded && to.writableEnded && !to.writableFinished && !to.closed) {
      to.once('finish', tell)
      to.once('close', tell)
    } else tell()
  }
  from.on('close', over)
  if (from.closed) over() // while the heads went to and fro
  from.resume()
}

/** The engine kept to HTTP: an error, or a detached exec. The client's parser is gone, so the answer is written by hand. */
async function answerRaw(carriage: TunnelCarriage, answer: IncomingMessage): Promise<void> {
  const { socket, entry, limits, tap } = carriage
  const status = answer.statusCode ?? 502
  const reason = answer.statusMessage ?? ''
  tap?.answer('answered', { status, headers: answer.rawHeaders })
  if (status >= 400) {
    const body = await readBody(answer, limits.errorBody, 0).catch((cause: Error) => {
      throw new Refusal('engine-broke-off', `the engine's error could not be read: ${cause.message}`, { cause })
    })
    tap?.body('answered', body)
    const finished = await finishError(carriage, status, answer.rawHeaders, body)
    showFinished(carriage, finished)
    writeFinished(socket, finished, reasonFor(finished.status, status, reason))
    return
  }
  const head = translateHead(carriage, status, answer.rawHeaders)
  // The specification's logs: an answer that no engine gives (`--profile spec`).
  const switched = head.status === 101 && carriage.upgrade !== undefined
  if (switched) head.headers.delete('Content-Length')
  if (switched) head.headers.set('Upgrade', carriage.upgrade)
  head.headers.set('Connection', switched ? 'Upgrade' : 'close')
  entry.opened(head.status)
  tap?.answer('given', { status: head.status, headers: head.headers.raw() })
  socket.write(rawHead(head.status, switched ? 'UPGRADED' : reasonFor(head.status, status, reason), head.headers))
  socket.once('close', () => answer.destroy())
  if (socket.destroyed) answer.destroy()
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    entry.sent(chunk.length)
    tap?.body('answered', chunk)
    tap?.body('given', chunk)
    if (!socket.write(chunk)) await drained(socket)
  }
  socket.end()
}

function drained(socket: Duplex): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('drain', resolve)
  socket.once('close', resolve)
  if (socket.destroyed) resolve()
  return promise
}

/** Writes a whole answer on a raw connection and ends it. */
export function writeFinished(socket: Duplex, finished: Finished, reason: string): void {
  finished.headers.set('Connection', 'close')
  socket.write(rawHead(finished.status, reason, finished.headers))
  socket.end(finished.body)
}
