import { ProxyError } from '../../api/errors.ts'
import {
  type EngineCall,
  type EngineRequest,
  type EngineTunnel,
  isSafe,
  type ResponseSink,
} from '../../http/engine/request.ts'
import type { ReadonlyHeaders } from '../../http/headers.ts'
import type { Exchange } from '../exchange.ts'
import { buildRequest } from './engine-request.ts'
import { collectError, type EngineHead, type Receive, type Receiver, type Switched } from './receiver.ts'
import { returnedHeaders } from './reply.ts'

/**
 * Sends a request and handles its response: errors go back in the client's form, successes to `receive`. Resolves when
 * the call has ended on both sides. If the client leaves, the engine's request is aborted; if the engine leaves, the
 * client gets an error, or its connection is cut once a head has been sent.
 */
export function carry(
  exchange: Exchange,
  request: EngineRequest,
  receive: Receive,
  switched?: Switched,
): Promise<void> {
  const { entry, clientResponse } = exchange
  if (clientResponse.gone) {
    entry.endedBy ??= 'client' // nothing was sent to the engine
    return Promise.resolve()
  }
  const response = new EngineResponse(exchange, receive, switched)
  const call = exchange.send(request, response, timeoutFor(exchange))
  exchange.onGone(() => response.clientLeft(call))
  clientResponse.onHalfClose(() => response.clientHalfClosed(call))
  return response.over
}

/** Builds the engine's request by its plan and carries it. */
export function carryTranslated(exchange: Exchange, receive: Receive): Promise<void> {
  const request = buildRequest(exchange)
  if (request instanceof Promise) return request.then((built) => carry(exchange, built, receive))
  return carry(exchange, request, receive)
}

/** Passes the engine's response to the client. */
class EngineResponse implements ResponseSink {
  readonly #over = Promise.withResolvers<void>()
  readonly over = this.#over.promise
  readonly #exchange: Exchange
  readonly #receive: Receive
  readonly #onSwitch: Switched | undefined
  #receiver: Receiver | undefined
  #call: EngineCall | undefined
  /** The engine has been told that the client sends nothing more. */
  #toldEngine = false

  constructor(exchange: Exchange, receive: Receive, switched: Switched | undefined) {
    this.#exchange = exchange
    this.#receive = receive
    this.#onSwitch = switched
  }

  interim(status: number, reason: string, headers: ReadonlyHeaders): void {
    this.#exchange.clientResponse.interim(status, reason, returnedHeaders(headers))
  }

  head(status: number, reason: string, headers: ReadonlyHeaders, call: EngineCall): void {
    this.#call = call
    const { entry, observer } = this.#exchange
    const head: EngineHead = { status, reason, headers, call, fail: (cause) => this.#broken(cause) }
    entry.timing.engineResponded()
    try {
      observer?.response('engineResponse', head)
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

  get isWriting(): boolean {
    return this.#exchange.clientResponse.isWriting
  }

  async end(): Promise<void> {
    try {
      await this.#receiver?.end()
      this.#over.resolve()
    } catch (cause) {
      this.#over.reject(asResponseError(cause))
    }
  }

  switched(status: number, reason: string, headers: ReadonlyHeaders, tunnel: EngineTunnel): void {
    const { entry, observer, clientResponse } = this.#exchange
    entry.timing.engineResponded()
    try {
      observer?.response('engineResponse', { status, headers })
    } catch (cause) {
      tunnel.close()
      this.#over.reject(cause)
      return
    }
    if (this.#onSwitch === undefined || clientResponse.gone) {
      entry.endedBy ??= 'client'
      tunnel.close()
      this.#over.resolve()
      return
    }
    this.#onSwitch({ status, reason, headers }, tunnel).then(this.#over.resolve, (cause) => {
      tunnel.close()
      this.#over.reject(cause)
    })
  }

  failed(cause: Error): void {
    const { clientResponse } = this.#exchange
    if (clientResponse.ended) {
      this.#receiver?.failed?.()
      this.#over.resolve() // the client has the complete response: the bridge cut the rest itself
      return
    }
    if (this.#toldEngine) {
      this.#exchange.entry.endedBy ??= 'client'
      clientResponse.cut()
      this.#over.resolve()
      return
    }
    if (clientResponse.headSent) clientResponse.cut()
    this.#over.reject(cause)
  }

  clientLeft(call: EngineCall): void {
    this.#over.resolve() // must come first: the abort is reported as an engine failure
    call.abort()
  }

  /**
   * A client that has ended its side may still be reading or may have left: TCP shows no difference. For calls that may
   * last, the half-close is passed on to the engine, as without a bridge (net/http then cancels the request).
   */
  clientHalfClosed(call: EngineCall): void {
    const { entry, clientResponse } = this.#exchange
    const tunnel = this.#onSwitch !== undefined
    if (!tunnel && !entry.lasts) return
    // The client's early bytes pass only after the engine has switched: before, it would parse them as a request.
    if (tunnel && clientResponse.hasEarlyBytes) return
    this.#toldEngine = true
    if (!tunnel) entry.endedBy ??= 'client'
    call.halfClose()
  }

  #broken(cause: unknown): void {
    this.#over.reject(asResponseError(cause))
    this.#call?.abort()
  }
}

/** Timeout for the response head. Only for calls that change nothing: an abandoned change may still take effect. */
function timeoutFor({ message, entry, core }: Exchange): number {
  return isSafe(message.method) && !entry.lasts ? core.limits['answer-timeout'] : 0
}

/** JSON.stringify throws a RangeError on values that are nested too deeply. */
const asResponseError = (cause: unknown): unknown =>
  cause instanceof RangeError
    ? new ProxyError('engine-broke-off', `the engine's response cannot be serialized: ${cause.message}`, { cause })
    : cause
