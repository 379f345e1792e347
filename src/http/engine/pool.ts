import type { Socket } from 'node:net'
import { type EngineAddress, formatAddress } from '../address.ts'
import { Deadlines } from '../deadlines.ts'
import { EngineConnection } from './connection.ts'
import type { Connector } from './connector.ts'
import { asEngineFault } from './fault.ts'
import { Reading } from './reading.ts'
import type { EngineCall, EngineRequest, EngineTunnel, ResponseSink } from './request.ts'
import { type Sender, SentRequest } from './sent-request.ts'
import { WebsocketRequest, type WebsocketSender } from './websocket.ts'

/**
 * How long an idle connection is kept: less than the other side keeps it, for a call written as the engine hangs up is lost, and
 * one that changes state cannot be sent again. Docker up to 20.10 hangs up after 300 s (its `ReadHeaderTimeout`, measured), later
 * ones and Podman never; proxies and balancers before an engine mostly after 60 or 75 s.
 */
export const KEPT_MS = 50_000
/** What was idle longer than this may have been closed without our having seen it. */
const FRESH_MS = 20
/** Idle connections that are kept; more are closed. */
const MOST_IDLE = 256
/** Bytes of a response's head, where nothing else is said. */
const MAX_HEADER_BYTES = 1 << 20

const NOTHING = Buffer.alloc(0)

/** How the connections to the engine came to be all gone, the last time that they were. */
export interface Gone {
  /** How often so far the engine had a part in it: it ended one of them, or it broke. */
  readonly byEngine: number
  /** When, as `performance.now()` counts. */
  readonly at: number
}

export interface EngineLimits {
  /** Bytes of a response's head. */
  readonly header?: number
  /** How long an idle connection is kept. */
  readonly keptMs?: number
  /** The shortest patience that is asked for. */
  readonly answerMs?: number
}

/** A connection, whoever uses it. */
interface Open {
  readonly socket: Socket
  readonly closedByUs: boolean
  close(): void
}

/** The connections to one engine. */
export class EnginePool implements Sender, WebsocketSender {
  readonly address: EngineAddress
  readonly where: string
  readonly #connector: Connector
  readonly header: number
  readonly #keptMs: number
  readonly #deadlines: Deadlines
  readonly #all = new Set<Open>()
  /** The one used last is used next. */
  readonly #idle: EngineConnection[] = []
  #established = 0
  #hungUp = false
  #gone: Gone = { byEngine: 0, at: 0 }

  constructor(connector: Connector, { header = MAX_HEADER_BYTES, keptMs = KEPT_MS, answerMs = 0 }: EngineLimits = {}) {
    this.address = connector.address
    this.where = formatAddress(connector.address)
    this.#connector = connector
    this.header = header
    this.#keptMs = keptMs
    this.#deadlines = new Deadlines(Math.min(keptMs, answerMs === 0 ? keptMs : answerMs))
  }

  /** Another object whenever no connection is left: what was learnt over them may hold no longer. */
  get gone(): Gone {
    return this.#gone
  }

  /** Whether a connection to the engine is still up. */
  get connected(): boolean {
    return this.#established > 0
  }

  /** Whether the engine is spoken to over TLS. */
  get encrypted(): boolean {
    return this.#connector.encrypted
  }

  /** Opens a connection on which nothing was said yet, for another protocol than HTTP/1.1. Rejects with an `EngineFault`. */
  open(): Promise<EngineTunnel> {
    const { promise, resolve, reject } = Promise.withResolvers<EngineTunnel>()
    const connection = this.#connect()
    const { socket, reading } = connection
    let failure: Error | undefined
    const failed = (): void => reject(asEngineFault(failure ?? new Error('other side closed'), this.where))
    socket.once('error', (error) => {
      failure = error
    })
    socket.once('close', failed)
    socket.once('connect', () => {
      socket.off('close', failed)
      connection.detach()
      socket.pause()
      resolve({ socket, reading, rest: NOTHING })
    })
    return promise
  }

  /** Sends one call. `patienceMs`: how long the head of the response may take; 0: for ever. */
  send(request: EngineRequest, sink: ResponseSink, patienceMs = 0): EngineCall {
    if (request.takesOver === 'websocket') return new WebsocketRequest(this, request, sink)
    const sent = new SentRequest(this, request, sink, patienceMs)
    const kept = request.takesOver === 'tunnel' ? undefined : this.#takeIdle()
    if (kept === undefined) sent.begin(this.#connect())
    else if (sent.safe || performance.now() - kept.idleSince < FRESH_MS) sent.begin(kept)
    else this.#checkFirst(kept, sent)
    return sent
  }

  again(sent: SentRequest): void {
    sent.begin(this.#connect())
  }

  keep(connection: EngineConnection, saysMs = this.#keptMs): void {
    const keptMs = Math.min(saysMs, this.#keptMs)
    if (!connection.usable || this.#idle.length >= MOST_IDLE || keptMs <= 0) {
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

  /** Whatever the engine said on this connection until now is read before a call that cannot be sent again is written to it. */
  #checkFirst(kept: EngineConnection, sent: SentRequest): void {
    kept.deadline = 0
    setImmediate(() => {
      setImmediate(() => sent.begin(kept.usable ? kept : this.#connect()))
    })
  }

  #closed(byUs: boolean): void {
    this.#hungUp ||= !byUs
    this.#established--
    if (this.#established > 0) return
    this.#gone = { byEngine: this.#gone.byEngine + (this.#hungUp ? 1 : 0), at: performance.now() }
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
    const reading = new Reading((onread) => this.#connector.connect(onread))
    const connection = new EngineConnection(reading, this.header)
    this.#deadlines.add(connection)
    connection.socket.once('close', () => {
      this.#deadlines.delete(connection)
      const at = this.#idle.indexOf(connection)
      if (at !== -1) this.#idle.splice(at, 1)
    })
    this.#count(connection)
    return connection
  }

  connectFor(call: WebsocketRequest): Socket {
    const socket = this.#connector.connect()
    this.#count({
      socket,
      get closedByUs() {
        return call.closedByUs
      },
      close: () => void socket.destroy(),
    })
    return socket
  }

  #count(open: Open): void {
    const { socket } = open
    this.#all.add(open)
    let established = false
    socket.once('connect', () => {
      established = true
      this.#established++
    })
    socket.once('close', () => {
      this.#all.delete(open)
      if (established) this.#closed(open.closedByUs)
    })
  }
}
