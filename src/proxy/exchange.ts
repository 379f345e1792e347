import type { EngineFacts } from '../api/engine-facts.ts'
import type { Call } from '../api/read-call.ts'
import type { RequestBody } from '../api/validation/validation.ts'
import type { Entry } from '../audit/entry/entry.ts'
import type { CallObserver, RequestHead } from '../audit/observer.ts'
import type { Addressee } from '../engine/replaced/address.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { ClientResponse } from '../http/client/response.ts'
import type { EngineCall, EngineRequest, EngineTunnel, ResponseSink } from '../http/engine/request.ts'
import type { Headers } from '../http/headers.ts'
import type { Guard, Outgoing } from '../policy/guard.ts'
import type { EmulationContext, RequestMessage } from '../translate/message.ts'
import type { AnyPlan } from '../translate/plans.ts'
import { ClientMessage } from '../translate/query.ts'
import type { Core } from './core.ts'
import { CallContext, type EnginelessCore } from './emulation-context.ts'

/** A call that has been read, checked and planned. */
type ExchangeParts = Pick<
  Exchange,
  'clientRequest' | 'clientResponse' | 'hasBody' | 'call' | 'plan' | 'facts' | 'entry' | 'checkBody' | 'observer'
> & { readonly addressee: Addressee; readonly headers: Headers; readonly guard: Guard | undefined }

/**
 * One call: the client's request and response, the engine's request and response, and the only way to the engine. All
 * outgoing requests pass `send`, `sendFurther` or `tunnel`, where policy, audit and observers see them.
 */
export class Exchange {
  readonly clientRequest: ClientRequest
  readonly clientResponse: ClientResponse
  readonly call: Call
  readonly plan: AnyPlan
  /** The client's request as steps see it, before translation; the body is undefined until a lane reads it. */
  readonly message: RequestMessage
  readonly entry: Entry
  readonly core: EnginelessCore
  readonly facts: EngineFacts
  /** The client sends a body that has not been read yet (a form has). */
  readonly hasBody: boolean
  /** Checks the body before any step runs and throws a ProxyError; undefined if no check applies. */
  readonly checkBody: ((body: RequestBody) => void) | undefined
  readonly observer: CallObserver | undefined
  readonly #guard: Guard | undefined
  readonly #engine: Core['engine']
  #context: EmulationContext | undefined
  #leaving: AbortController | undefined
  #isWatched = false

  constructor(core: Core, parts: ExchangeParts) {
    const { addressee, headers } = parts
    this.clientRequest = parts.clientRequest
    this.clientResponse = parts.clientResponse
    this.call = parts.call
    this.plan = parts.plan
    this.message = new ClientMessage(parts.call, addressee.wirePath, addressee.params, headers)
    this.entry = parts.entry
    this.hasBody = parts.hasBody
    this.checkBody = parts.checkBody
    this.observer = parts.observer
    this.core = core
    this.facts = parts.facts
    this.#guard = parts.guard
    this.#engine = core.engine
  }

  /** Created on first access: most calls have no steps or emulations that need it. */
  get context(): EmulationContext {
    this.#context ??= new CallContext(this)
    return this.#context
  }

  /** Aborted when the client leaves. */
  get left(): AbortSignal {
    this.#leaving ??= new AbortController()
    if (!this.#isWatched) this.onGone(() => undefined)
    return this.#leaving.signal
  }

  /** Sets the one listener for a client that leaves before the end of the response. */
  onGone(left: () => void): void {
    this.#isWatched = true
    this.clientResponse.onGone(() => {
      this.entry.endedBy ??= 'client'
      this.#leaving?.abort()
      left()
    })
  }

  /** The policy needs this call's body. */
  get policyReadsBody(): boolean {
    return this.#guard?.readsBody(this.call.match?.operation.name) === true
  }

  /** Sends the call. Throws a ProxyError if the policy denies it. `timeoutMs`: timeout for the head; 0: none. */
  send(request: EngineRequest, sink: ResponseSink, timeoutMs = 0): EngineCall {
    this.#guard?.check(outgoing(request))
    this.entry.sentToEngine(request, false)
    this.observer?.request(request, false)
    if (request.body !== null) this.observer?.body('engineRequest', request.body)
    return this.#engine.send(request, sink, timeoutMs)
  }

  /**
   * Sends a call that the bridge makes in addition to the client's. `judged`: the policy applies, because the bridge
   * calls on the client's behalf.
   */
  sendFurther(request: EngineRequest, sink: ResponseSink, judged: boolean, timeoutMs = 0): EngineCall {
    if (judged) this.permit(request)
    this.entry.sentToEngine(request, true)
    this.observer?.request(request, true)
    return this.#engine.send(request, sink, timeoutMs)
  }

  /** Opens a connection whose bytes are not parsed. Rejects with a ProxyError if the policy denies it. */
  async tunnel(head: RequestHead): Promise<EngineTunnel> {
    this.#guard?.checkUnreadable()
    this.entry.sentToEngine(head, false)
    this.observer?.request(head, false)
    return this.#engine.open()
  }

  /** Throws a ProxyError if the policy denies an additional call. */
  permit(request: EngineRequest): void {
    this.#guard?.check(outgoing(request), true)
  }

  /** Whether the policy allows an additional call; nothing is recorded. */
  allows(request: EngineRequest): boolean {
    return this.#guard?.allows(outgoing(request)) ?? true
  }
}

function outgoing({ method, path, headers, body, streamed }: EngineRequest): Outgoing {
  const contentType = headers.get('content-type')
  return { method, path, contentType, body: streamed === undefined ? (body ?? undefined) : 'streamed' }
}
