import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HijackedConnection } from './client/response.ts'
import type { EngineTunnel } from './engine/request.ts'
import { PROBE_MS, probe } from './liveness.ts'

export type Side = 'client' | 'engine'

/** Removes bytes from the beginning of a stream. */
export interface ByteFilter {
  /** Returns the part of a chunk to forward. */
  take(chunk: Buffer): Buffer
  /** Returns held bytes when the stream ends. */
  rest(): Buffer
}

/** Observes a tunnel. Chunks are lent: copy them to keep them. */
export interface TunnelWatch {
  /** For the client's bytes. */
  readonly filter?: ByteFilter | undefined
  passed(from: Side, chunk: Buffer): void
  /** Which side ended the call; only the first counts. */
  endedBy(side: Side): void
}

/** Connects two sockets until both have closed, with backpressure and half-closes. */
export function join(client: HijackedConnection, engine: EngineTunnel, watch: TunnelWatch): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  lookForClose(client.socket, engine.socket)
  forward(watch, 'engine', engine.rest, client.socket)
  const { filter } = watch
  const fromClient = (chunk: Buffer): Buffer => filter?.take(chunk) ?? chunk
  forward(watch, 'client', fromClient(client.early), engine.socket)
  client.socket.on('end', () => forward(watch, 'client', filter?.rest() ?? NOTHING, engine.socket))
  let closed = 0
  const over = (side: Side) => (): void => {
    watch.endedBy(side)
    closed++
    if (side === 'client') engine.close()
    else client.socket.destroy()
    if (closed === 2) resolve()
  }
  // A client's half-close ends its input; an engine's ends the call.
  const ended = (): void => watch.endedBy('engine')
  if (engine.socket.readableEnded) ended()
  else engine.socket.once('end', ended)
  // When both sockets are destroyed, the error comes before either close.
  engine.socket.once('error', ended)
  client.socket.once('error', () => watch.endedBy('client'))
  const show = (side: Side, chunk: Buffer): Buffer => {
    if (chunk.length > 0) watch.passed(side, chunk)
    return chunk
  }
  pass(client.socket, engine.socket, (chunk) => show('client', fromClient(chunk)), over('client'))
  pass(engine.socket, client.socket, (chunk) => show('engine', chunk), over('engine'))
  tellOfClose(engine.socket, client.socket)
  engine.lender?.lend((chunk, done) => {
    watch.passed('engine', chunk)
    if (!client.socket.write(chunk, done)) engine.socket.pause()
  })
  return promise
}

/**
 * An engine that has closed its unix socket (Podman after a detach) takes no more input; one that has only ended its
 * output (Docker) does. A client on a unix socket can tell them apart, with the bridge as without: once all output is
 * written, the engine's socket is probed.
 */
function tellOfClose(engine: Duplex, client: Socket): void {
  if (!(engine instanceof Socket) || engine.remoteAddress !== undefined || client.remoteAddress !== undefined) return
  client.once('finish', () => {
    if (engine.readableEnded && engine.writable) probe(engine)
  })
}

/**
 * A client that has ended its side may still read, or have left: its unix socket is probed from when the engine's has taken all
 * that it sent.
 */
function lookForClose(client: Socket, engine: Duplex): void {
  if (client.remoteAddress !== undefined) return
  engine.once('finish', () => {
    if (client.closed) return
    const look = (): void => {
      if (client.writable) probe(client)
    }
    look()
    const timer = setInterval(look, PROBE_MS).unref()
    client.once('close', () => clearInterval(timer))
  })
}

function forward(watch: TunnelWatch, from: Side, bytes: Buffer, to: Duplex): void {
  if (bytes.length === 0) return
  watch.passed(from, bytes)
  to.write(bytes)
}

const NOTHING = Buffer.alloc(0)

function pass(from: Duplex, to: Duplex, seen: (chunk: Buffer) => Buffer, closed: () => void): void {
  from.on('data', (chunk: Buffer) => {
    const bytes = seen(chunk)
    if (bytes.length > 0 && !to.write(bytes)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
  // An end before the two were joined (`echo x | docker exec -i`) is not emitted again.
  if (from.readableEnded) to.end()
  let told = false
  const tell = (): void => {
    if (!told) closed()
    told = true
  }
  const over = (): void => {
    // Both ended properly: wait until the last bytes are written, or cannot be.
    if (from.errored === null && from.readableEnded && to.writableEnded && !to.writableFinished && !to.closed) {
      to.once('finish', tell)
      to.once('close', tell)
    } else tell()
  }
  from.on('close', over)
  if (from.closed) over() // closed while the heads were exchanged
  from.resume()
}
