import type { Socket } from 'node:net'
import { formatAddress } from '../address.ts'
import { Deadlines } from '../deadlines.ts'
import { asEngineError } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { BufferLender } from './buffer-lender.ts'
import { EngineConnection } from './connection.ts'
import type { Connector } from './connector.ts'
import type { EngineCall, EngineRequest, EngineTunnel, ResponseSink } from './request.ts'
import { type Sender, SentRequest } from './sent-request.ts'
import { WebsocketRequest, type WebsocketSender } from './websocket.ts'

/**
 * How long an idle connection is kept: shorter than the other side keeps it, because a request written as the engine
 * closes is lost, and only safe ones can be retried. Docker up to 20.10 closes after 300 s (`ReadHeaderTimeout`,
 * measured), later ones and Podman never; proxies before an engine often after 60 or 75 s.
 */
export const KEPT_MS = 50_000
/** A connection idle for longer may have been closed unnoticed. */
const FRESH_MS = 20
const MAX_IDLE = 256

const NOTHING = Buffer.alloc(0)

/** How the last open connection closed. */
export interface LastClosed {
  /** Number of times so far that the engine closed at least one of them. */
  readonly closedByEngine: number
  /** By `performance.now()`. */
  readonly at: number
}

/** Any open connection. */
interface Open {
  readonly socket: Socket
  readonly closedByUs: boolean
  close(): void
}

export class EnginePool implements Sender, WebsocketSender {
  readonly where: string
  readonly #connector: Connector
  readonly header: number
  readonly #keptMs: number
  readonly #deadlines: Deadlines
  readonly #all = new Set<Open>()
  /** A stack: the most recently used is reused first. */
  readonly #idle: EngineConnection[] = []
  #hungUp = false
  #lastClosed: LastClosed = { closedByEngine: 0, at: 0 }

  constructor(connector: Connector, limits: Pick<Limits, 'max-header' | 'answer-timeout'>, keptMs = KEPT_MS) {
    this.where = formatAddress(connector.address)
    this.#connector = connector
    this.header = limits['max-header']
    this.#keptMs = keptMs
    this.#deadlines = new Deadlines(Math.min(keptMs, limits['answer-timeout'] || keptMs))
  }

  /** A new object when one closes and the engine has sent nothing on the others: facts may be outdated. */
  get lastClosed(): LastClosed {
    return this.#lastClosed
  }

  get encrypted(): boolean {
    return this.#connector.encrypted
  }

  /** Opens a connection for a protocol other than HTTP/1.1. Rejects with a `ProxyError`. */
  open(): Promise<EngineTunnel> {
    const { promise, resolve, reject } = Promise.withResolvers<EngineTunnel>()
    const connection = this.#connect()
    const { socket, lender } = connection
    let failure: Error | undefined
    const failed = (): void => reject(asEngineError(failure ?? new Error('other side closed'), this.where))
    socket.once('error', (error) => {
      failure = error
    })
    socket.once('close', failed)
    socket.once('connect', () => {
      socket.off('close', failed)
      connection.detach()
      socket.pause()
      resolve({ socket, lender, rest: NOTHING, close: () => connection.close() })
    })
    return promise
  }

  /** `timeoutMs`: timeout for the response head; 0: none. */
  send(request: EngineRequest, sink: ResponseSink, timeoutMs = 0): EngineCall {
    if (request.hijackAs === 'websocket') return new WebsocketRequest(this, request, sink)
    const sent = new SentRequest(this, request, sink, timeoutMs)
    const kept = request.hijackAs === 'tunnel' ? undefined : this.#takeIdle()
    if (kept === undefined) sent.begin(this.#connect())
    else if (sent.safe || performance.now() - kept.idleSince < FRESH_MS) sent.begin(kept)
    else this.#checkFirst(kept, sent)
    return sent
  }

  again(sent: SentRequest): void {
    sent.begin(this.#connect())
  }

  keep(connection: EngineConnection, keepAliveMs = this.#keptMs): void {
    const keptMs = Math.min(keepAliveMs, this.#keptMs)
    if (!connection.usable || this.#idle.length >= MAX_IDLE || keptMs <= 0) {
      connection.close()
      return
    }
    connection.idleSince = performance.now()
    connection.deadline = this.#deadlines.in(keptMs)
    this.#idle.push(connection)
  }

  deadlineIn(ms: number): number {
    return this.#deadlines.in(ms)
  }

  close(): void {
    for (const connection of this.#all) connection.close()
  }

  /** Reads pending events of the connection, such as its end, before writing a call that cannot be retried. */
  #checkFirst(kept: EngineConnection, sent: SentRequest): void {
    kept.deadline = 0
    setImmediate(() => {
      setImmediate(() => sent.begin(kept.usable ? kept : this.#connect()))
    })
  }

  #closed(byUs: boolean): void {
    this.#hungUp ||= !byUs
    // One without a byte yet may wait for the next engine, in a socket that systemd holds.
    if (this.#all.values().some(({ socket }) => socket.bytesRead > 0)) return
    const closedByEngine = this.#lastClosed.closedByEngine + (this.#hungUp ? 1 : 0)
    this.#lastClosed = { closedByEngine, at: performance.now() }
    this.#hungUp = false
  }

  #takeIdle(): EngineConnection | undefined {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (!kept.usable) continue
      kept.deadline = 0
      return kept
    }
    return undefined
  }

  #connect(): EngineConnection {
    const lender = new BufferLender((onread) => this.#connector.connect(onread))
    const connection = new EngineConnection(lender, this.header)
    this.#deadlines.add(connection)
    connection.socket.once('close', () => {
      this.#deadlines.delete(connection)
      const at = this.#idle.indexOf(connection)
      if (at !== -1) this.#idle.splice(at, 1)
    })
    this.#track(connection)
    return connection
  }

  connectFor(call: WebsocketRequest): Socket {
    const socket = this.#connector.connect()
    this.#track({
      socket,
      get closedByUs() {
        return call.closedByUs
      },
      close: () => void socket.destroy(),
    })
    return socket
  }

  #track(open: Open): void {
    const { socket } = open
    this.#all.add(open)
    let established = false
    socket.once('connect', () => {
      established = true
    })
    socket.once('close', () => {
      this.#all.delete(open)
      if (established) this.#closed(open.closedByUs)
    })
  }
}
