import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OperationName } from '../api/operations.ts'
import type { AskedBody } from '../api/validation/validation.ts'
import type { Entry } from '../audit/audit.ts'
import type { EngineConnection } from '../engine/connection.ts'
import type { Limits } from '../limits.ts'
import type { Call } from '../read-call.ts'
import type { Plan } from '../translate/compile.ts'
import type { EmulationContext, RequestMessage } from '../translate/message.ts'
import type { Pace } from './pace.ts'
import type { RememberedAnswers } from './remembered.ts'

/** The plan of a known operation, or one that changes nothing. */
export type AnyPlan = Plan | Omit<Plan, 'operation'>

/** A request as it goes to the engine; its body follows. */
export interface RequestHead {
  readonly method: string
  /** With version prefix and query. */
  readonly path: string
  /** Flat name/value pairs, as on the wire. */
  readonly headers: readonly string[]
}

export interface AnswerHead {
  readonly status: number
  /** Flat name/value pairs, as on the wire. */
  readonly headers: readonly string[]
}

/** Where a body passes: as the client sent it, as it goes on to the engine, as the engine answers, as the client gets it. */
export type Place = 'asked' | 'forwarded' | 'answered' | 'given'

/**
 * Sees what passes, while it passes. Chunks belong to the lane and are not to be changed: whoever keeps any copies them,
 * up to a bound of its own. A request may be thrown out (a Refusal) as long as nothing of it has gone to the engine:
 * from `request`, and from `body` of a place `forwarded` that comes before any of the answer.
 */
export interface Tap {
  /** Also for every further call to the engine that an emulation makes: `byEmulation`. */
  request(head: RequestHead, byEmulation: boolean): void
  answer(place: 'answered' | 'given', head: AnswerHead): void
  body(place: Place, chunk: Buffer): void
  /** A tunnel's bytes, after both heads have passed. They are lent (src/engine/reading.ts): who keeps them makes a copy. */
  stream(from: 'client' | 'engine', chunk: Buffer): void
  /** Once, when the call is over on both sides, whatever its end. */
  over(): void
}

/** What an observer decides by: all that is known before anything is forwarded. */
export interface Watched {
  readonly call: Call
  readonly operation: OperationName | undefined
  readonly plan: AnyPlan
  readonly lane: string
  readonly entry: Entry
  readonly req: IncomingMessage
}

/** Asked once a call, after its plan is known. Undefined: it does not want to see this call. */
export type Observer = (watched: Watched) => Tap | undefined

/** A request that is about to go to the engine, as it will be sent. */
export interface Outgoing {
  readonly method: string
  /** With version prefix and query. */
  readonly path: string
  readonly contentType: string | undefined
  /** `streamed`: there is one, and nobody has read it. */
  readonly body: Buffer | 'streamed' | undefined
}

/** Judges what is about to go to the engine (src/policy). */
export interface Guard {
  /** Whether the body of an operation has to be at hand to be judged. */
  readsBody(operation: OperationName | undefined): boolean
  /** Throws the refusal. `byBridge`: a further call, which an emulation makes. */
  check(outgoing: Outgoing, byBridge?: boolean): void
}

/** What every lane gets: the call, what to do with it, and where it goes. */
export interface Carriage {
  readonly req: IncomingMessage
  readonly call: Call
  readonly plan: AnyPlan
  /** The client's request, not yet translated; its body is undefined until a lane reads it. */
  readonly message: RequestMessage
  readonly context: EmulationContext
  readonly engine: EngineConnection
  readonly entry: Entry
  readonly limits: Limits
  /** Access policy: judges what goes to the engine; undefined where everything may. */
  readonly guard: Guard | undefined
  readonly answers: RememberedAnswers
  /** By whose turns large bodies are worked on. */
  readonly pace: Pace
  /** Looks at the body before any step does, and throws when it is refused; undefined where there is nothing to say. */
  readonly checkBody: ((body: AskedBody) => void) | undefined
  /** Undefined when nobody wants to see this call. */
  readonly tap: Tap | undefined
}

/** A call that is answered over HTTP. */
export interface PlainCarriage extends Carriage {
  readonly res: ServerResponse
}

/** A call that takes the connection over. */
export interface TunnelCarriage extends Carriage {
  readonly socket: Duplex
  /** What had been read after the request's head. */
  readonly head: Buffer
  /** What the client asked to switch to, or undefined when it hijacks without asking (clients up to 2016). */
  readonly upgrade: string | undefined
}

export type PlainLane = (carriage: PlainCarriage) => Promise<void>
export type TunnelLane = (carriage: TunnelCarriage) => Promise<void>
