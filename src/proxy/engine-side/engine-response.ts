import { asProxyError, ProxyError } from '../../api/errors.ts'
import type { ResponseKind } from '../../api/operations.ts'
import type { EngineCall, EngineRequest, EngineTunnel, ResponseSink } from '../../http/engine/request.ts'
import { Gathered } from '../../http/gathered.ts'
import type { Fields } from '../../http/message/head.ts'
import type { Exchange } from '../exchange.ts'
import { type Finished, finishError, sendFinished } from '../local/reply.ts'

/** Takes the body of a response; made when its head has come. */
export interface Receiver {
  /** The piece is lent: who keeps it makes a copy. `begins`: the size of the chunk that this piece begins; 0 inside one, and where there are none. */
  data(piece: Buffer, begins: number): void
  /** Everything that came in one read has been handed over. */
  flush?(): void
  end(): void | Promise<void>
  /** The engine broke off after the client's response was handed over elsewhere. */
  failed?(): void
}

/** The head of an engine's response. */
export interface EngineHead {
  readonly status: number
  readonly reason: string
  readonly headers: Fields
  readonly call: EngineCall
}

/** Decides from the head of a successful response who takes its body. */
export type Receive = (head: EngineHead) => Receiver

/** Takes a connection that the engine gave away. */
export type Switched = (head: Omit<EngineHead, 'call'>, tunnel: EngineTunnel) => Promise<void>

/**
 * Sends a request and sees it through: errors go back in the client's form, success goes to `receive`. Resolves when
 * the call is over on both sides. A client that leaves ends the engine's work; an engine that leaves ends the client's
 * call: with an error as long as no head has gone out, after that by cutting the connection.
 */
export function carry(
  exchange: Exchange,
  request: EngineRequest,
  receive: Receive,
  switched?: Switched,
): Promise<void> {
  const { entry, clientResponse } = exchange
  if (clientResponse.gone) {
    entry.clientLeft() // before anything went out: nothing does
    return Promise.resolve()
  }
  const response = new EngineResponse(exchange, receive, switched)
  const call = exchange.send(request, response, patienceFor(exchange))
  clientResponse.onGone(() => response.clientLeft(call))
  clientResponse.onHalfClose(() => response.clientHalfClosed(call))
  return response.over
}

/** The engine's response to the call, on its way to the client. */
class EngineResponse implements ResponseSink {
  readonly over: Promise<void>
  readonly #exchange: Exchange
  readonly #receive: Receive
  readonly #onSwitch: Switched | undefined
  readonly #resolve: () => void
  readonly #reject: (cause: unknown) => void
  #receiver: Receiver | undefined
  #call: EngineCall | undefined
  /** The engine has heard that nothing more comes from the client. */
  #toldEngine = false

  constructor(exchange: Exchange, receive: Receive, switched: Switched | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.over = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#exchange = exchange
    this.#receive = receive
    this.#onSwitch = switched
  }

  interim(status: number, reason: string, headers: Fields): void {
    this.#exchange.clientResponse.interim(status, reason, headers)
  }

  head(status: number, reason: string, headers: Fields, call: EngineCall): void {
    this.#call = call
    const { entry, observer } = this.#exchange
    const head: EngineHead = { status, reason, headers, call }
    entry.heard()
    try {
      observer?.answer('engineResponse', head)
      this.#receiver = status >= 400 ? collectError(this.#exchange, head) : this.#receive(head)
    } catch (cause) {
      this.#broken(cause)
    }
  }

  data(piece: Buffer, begins: number): void {
    try {
      this.#exchange.observer?.body('engineResponse', piece)
      this.#receiver?.data(piece, begins)
    } catch (cause) {
      this.#broken(cause)
    }
  }

  flush(): void {
    this.#receiver?.flush?.()
  }

  get holds(): boolean {
    return this.#exchange.clientResponse.holdsPieces
  }

  end(): void {
    try {
      const last = this.#receiver?.end()
      if (last === undefined) this.#resolve()
      else last.then(this.#resolve, (cause) => this.#reject(asEngineFault(cause)))
    } catch (cause) {
      this.#reject(asEngineFault(cause))
    }
  }

  switched(status: number, reason: string, headers: Fields, tunnel: EngineTunnel): void {
    const { entry, observer, clientResponse } = this.#exchange
    entry.heard()
    try {
      observer?.answer('engineResponse', { status, headers })
    } catch (cause) {
      tunnel.socket.destroy()
      this.#reject(cause)
      return
    }
    if (this.#onSwitch === undefined || clientResponse.gone) {
      entry.clientLeft()
      tunnel.socket.destroy()
      this.#resolve()
      return
    }
    this.#onSwitch({ status, reason, headers }, tunnel).then(this.#resolve, (cause) => {
      tunnel.socket.destroy()
      this.#reject(cause)
    })
  }

  failed(cause: Error): void {
    const { clientResponse } = this.#exchange
    if (clientResponse.ended) {
      this.#receiver?.failed?.()
      this.#resolve() // the client has all that it asked for: the rest was cut off on purpose
      return
    }
    if (this.#toldEngine) {
      this.#exchange.entry.clientLeft()
      clientResponse.cut()
      this.#resolve()
      return
    }
    if (clientResponse.headSent) clientResponse.cut()
    this.#reject(asProxyError(cause))
  }

  clientLeft(call: EngineCall): void {
    this.#exchange.entry.clientLeft()
    this.#resolve() // first: the abort is reported as a failure of the engine's
    call.abort()
  }

  /**
   * A client that has ended its side may still read, or be gone: over TCP both look the same. Of what may last, the engine
   * hears of it, as it would without a bridge (net/http then cancels what it was doing).
   */
  clientHalfClosed(call: EngineCall): void {
    const { entry, clientResponse } = this.#exchange
    const tunnel = this.#onSwitch !== undefined
    if (!tunnel && !entry.lasts) return
    // What was written ahead may pass only when the engine has switched: before that it would be read as a request.
    if (tunnel && clientResponse.holdsBytes) {
      const timer = setTimeout(() => call.abort(), HELD_MS)
      this.over.finally(() => clearTimeout(timer)).catch(() => undefined)
      return
    }
    this.#toldEngine = true
    if (!tunnel) entry.clientLeft()
    call.halfClose()
  }

  #broken(cause: unknown): void {
    this.#reject(asEngineFault(cause))
    this.#call?.abort()
  }
}

/** How long an engine may take to switch for a client that has ended its side, and may be gone. */
const HELD_MS = 30_000

const AT_ONCE: ReadonlySet<string | undefined> = new Set<ResponseKind>(['json', 'text', 'none'])

/** How long the engine may think: only about what changes nothing, because a change given up on may still come about. */
function patienceFor({ message, call, limits }: Exchange): number {
  if (limits.answerMs === 0 || (message.method !== 'GET' && message.method !== 'HEAD')) return 0
  return AT_ONCE.has(call.match?.operation.response) ? limits.answerMs : 0
}

/** JSON.stringify has no other end for what is nested too deeply. */
const asEngineFault = (cause: unknown): unknown =>
  cause instanceof RangeError
    ? new ProxyError('engine-broke-off', `the engine's answer cannot be written again: ${cause.message}`, { cause })
    : cause

type Finishing = Finished | 'gone'

/** Gathers a body up to a limit, then finishes it. */
export function collect(
  exchange: Exchange,
  head: EngineHead,
  limit: number,
  finish: (body: Buffer) => Finishing | Promise<Finishing>,
): Receiver {
  const gathered = new Gathered()
  exchange.entry.awaitsBody()
  const send = (finished: Finishing): void => {
    // Its call is over, or about to be: nothing more is said or shown of it.
    if (finished === 'gone' || exchange.clientResponse.gone) exchange.entry.clientLeft()
    else sendFinished(exchange, finished, head.status, head.reason)
  }
  return {
    data: (piece) => {
      gathered.add(piece, true)
      if (gathered.size > limit)
        throw new ProxyError('engine-broke-off', `the engine's answer is larger than ${limit} bytes`)
    },
    end: () => {
      exchange.entry.heard()
      const finished = finish(gathered.whole())
      return finished instanceof Promise ? finished.then(send) : send(finished)
    },
  }
}

const collectError = (exchange: Exchange, head: EngineHead): Receiver =>
  collect(exchange, head, exchange.limits.errorBody, (body) => finishError(exchange, head.status, head.headers, body))
