import type { Duplex } from 'node:stream'
import type { TakenOver } from './client/response.ts'
import type { EngineTunnel } from './engine/request.ts'

export type Side = 'client' | 'engine'

/** Takes bytes off the beginning of a stream. */
export interface ByteFilter {
  /** What is to pass of a chunk. */
  take(chunk: Buffer): Buffer
  /** What was held back when the stream ends. */
  rest(): Buffer
}

/** Sees what passes through a tunnel. Chunks are lent: who keeps one makes a copy. */
export interface TunnelWatch {
  /** Of the client's bytes. */
  readonly filter?: ByteFilter | undefined
  passed(from: Side, chunk: Buffer): void
  /** Which side ended the call; the first word counts. */
  endedBy(side: Side): void
}

/** Joins two connections until both have closed: bytes with backpressure, the end of each side passed on by itself. */
export function join(client: TakenOver, engine: EngineTunnel, watch: TunnelWatch): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  forward(watch, 'engine', engine.rest, client.socket)
  const { filter } = watch
  const fromClient = (chunk: Buffer): Buffer => filter?.take(chunk) ?? chunk
  forward(watch, 'client', fromClient(client.rest), engine.socket)
  client.socket.on('end', () => forward(watch, 'client', filter?.rest() ?? NOTHING, engine.socket))
  let closed = 0
  const over = (side: Side) => (): void => {
    watch.endedBy(side)
    closed++
    ;(side === 'client' ? engine.socket : client.socket).destroy()
    if (closed === 2) resolve()
  }
  // A client that ends its side has said all it had to say; an engine that does has ended the call.
  const ended = (): void => watch.endedBy('engine')
  if (engine.socket.readableEnded) ended()
  else engine.socket.once('end', ended)
  // Of two connections that are destroyed together, the second closes first.
  engine.socket.once('error', ended)
  client.socket.once('error', () => watch.endedBy('client'))
  const show = (side: Side, chunk: Buffer): Buffer => {
    if (chunk.length > 0) watch.passed(side, chunk)
    return chunk
  }
  pass(client.socket, engine.socket, (chunk) => show('client', fromClient(chunk)), over('client'))
  pass(engine.socket, client.socket, (chunk) => show('engine', chunk), over('engine'))
  engine.reading?.lend((chunk, done) => {
    watch.passed('engine', chunk)
    if (!client.socket.write(chunk, done)) engine.socket.pause()
  })
  return promise
}

function forward(watch: TunnelWatch, from: Side, bytes: Buffer, to: Duplex): void {
  if (bytes.length === 0) return
  watch.passed(from, bytes)
  to.write(bytes)
}

const NOTHING = Buffer.alloc(0)

/** One direction. */
function pass(from: Duplex, to: Duplex, seen: (chunk: Buffer) => Buffer, closed: () => void): void {
  from.on('data', (chunk: Buffer) => {
    const bytes = seen(chunk)
    if (bytes.length > 0 && !to.write(bytes)) from.pause()
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
