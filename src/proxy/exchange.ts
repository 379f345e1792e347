import type { EngineFacts } from '../api/engine-facts.ts'
import type { Call } from '../api/read-call.ts'
import type { AskedBody } from '../api/validation/validation.ts'
import type { CallObserver, RequestHead } from '../audit/observer.ts'
import type { Entry } from '../audit/record/entry.ts'
import type { Addressee } from '../engine/replaced/address.ts'
import type { ClientRequest } from '../http/client/request.ts'
import type { ClientResponse } from '../http/client/response.ts'
import type { EnginePool } from '../http/engine/pool.ts'
import type { EngineCall, EngineRequest, EngineTunnel, ResponseSink } from '../http/engine/request.ts'
import { Headers } from '../http/headers.ts'
import type { Limits } from '../http/limits.ts'
import type { Guard, Outgoing } from '../policy/guard.ts'
import type { AnyPlan } from '../translate/compile.ts'
import type { EmulationContext, RequestMessage } from '../translate/message.ts'
import { AskedMessage } from '../translate/query.ts'
import type { ResponseCache } from '../translate/run/response-cache.ts'
import type { TimeSlicer } from '../translate/run/time-slicer.ts'
import { type ContextNeeds, type Further, makeContext } from './context.ts'

/** What is known of a call when it is handed to its lane. */
export interface Known {
  readonly clientRequest: ClientRequest
  readonly clientResponse: ClientResponse
  /** The body was a form, and is in the query now. */
  readonly formRead: boolean
  readonly call: Call
  readonly addressee: Addressee
  readonly headers: Headers
  readonly plan: AnyPlan
  readonly facts: EngineFacts
  readonly entry: Entry
  /** Looks at the body before any step does, and throws when it is refused; undefined where there is nothing to say. */
  readonly checkBody: ((body: AskedBody) => void) | undefined
  readonly observer: CallObserver | undefined
  readonly guard: Guard | undefined
}

/** What exchanges take of the bridge. */
export interface Surroundings extends ContextNeeds {
  readonly engine: EnginePool
  readonly responseCache: ResponseCache
  readonly timeSlicer: TimeSlicer
}

/**
 * One call: the client's request and response, the engine's, and the only way to the engine. Whatever goes out passes `send`,
 * `sendFurther` or `tunnel`, where the policy judges it, the audit notes it and the observers see it.
 */
export class Exchange {
  readonly clientRequest: ClientRequest
  readonly clientResponse: ClientResponse
  readonly call: Call
  readonly plan: AnyPlan
  /** The client's request as steps see it, not yet translated; its body is undefined until a lane reads it. */
  readonly message: RequestMessage
  readonly entry: Entry
  readonly limits: Limits
  readonly responseCache: ResponseCache
  readonly timeSlicer: TimeSlicer
  /** Whether the client sends a body that nobody has read. */
  readonly hasBody: boolean
  readonly checkBody: Known['checkBody']
  readonly observer: CallObserver | undefined
  readonly #guard: Guard | undefined
  readonly #surroundings: Surroundings
  readonly #facts: EngineFacts
  #context: EmulationContext | undefined

  constructor(surroundings: Surroundings, known: Known) {
    const { addressee, headers } = known
    this.clientRequest = known.clientRequest
    this.clientResponse = known.clientResponse
    this.call = known.call
    this.plan = known.plan
    this.message = new AskedMessage(known.call, addressee.wirePath, addressee.params, headers)
    this.entry = known.entry
    this.hasBody = known.clientRequest.hasBody && !known.formRead
    this.checkBody = known.checkBody
    this.observer = known.observer
    this.limits = surroundings.limits
    this.responseCache = surroundings.responseCache
    this.timeSlicer = surroundings.timeSlicer
    this.#guard = known.guard
    this.#surroundings = surroundings
    this.#facts = known.facts
  }

  /** What steps and emulations may see and do; most calls have none. */
  get context(): EmulationContext {
    this.#context ??= makeContext(this.#surroundings, this, this.#facts)
    return this.#context
  }

  /** Whether the policy has to see the body of this call. */
  get policyReadsBody(): boolean {
    return this.#guard?.readsBody(this.call.match?.operation.name) === true
  }

  /** Sends the call. Throws a refusal of the policy before anything goes out. `patienceMs`: for the response's head; 0: any. */
  send(request: EngineRequest, sink: ResponseSink, patienceMs = 0): EngineCall {
    this.#guard?.check(outgoing(request))
    this.entry.asks(request, false)
    this.observer?.request(request, false)
    if (request.body !== null) this.observer?.body('engineRequest', request.body)
    return this.#surroundings.engine.send(request, sink, patienceMs)
  }

  /** Sends a call that the bridge makes for this one. */
  sendFurther(request: EngineRequest, sink: ResponseSink, { judged, patienceMs }: Further): EngineCall {
    if (judged) this.permit(request)
    this.entry.asks(request, true)
    this.observer?.request(request, true)
    return this.#surroundings.engine.send(request, sink, patienceMs)
  }

  /** Opens a connection whose bytes nobody reads. Rejects with a refusal of the policy before anything goes out. */
  async tunnel(head: RequestHead): Promise<EngineTunnel> {
    this.#guard?.checkUnreadable()
    this.entry.asks(head, false)
    this.observer?.request(head, false)
    return this.#surroundings.engine.open()
  }

  /** Throws the refusal of a further call that is about to be made. */
  permit(request: EngineRequest): void {
    this.#guard?.check(outgoing(request), true)
  }
}

function outgoing({ method, path, headers, body, streamed }: EngineRequest): Outgoing {
  const contentType = Headers.valueOf(headers, 'content-type')
  return { method, path, contentType, body: streamed === undefined ? (body ?? undefined) : 'streamed' }
}
