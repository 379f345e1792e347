import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AskedBody } from '../api/validation/validation.ts'
import type { Entry } from '../audit/audit.ts'
import type { EngineConnection } from '../engine/connection.ts'
import type { Call } from '../read-call.ts'
import type { Plan } from '../translate/compile.ts'
import type { EmulationContext, RequestMessage } from '../translate/message.ts'

/** Bounds on what is held in memory, in bytes. */
export interface Limits {
  /** A JSON request body that is parsed. */
  readonly requestBody: number
  /** A JSON answer that is parsed. */
  readonly responseBody: number
  /** One record of a stream. */
  readonly record: number
  /** An error body. */
  readonly errorBody: number
}

/** The plan of a known operation, or one that changes nothing. */
export type AnyPlan = Plan | Omit<Plan, 'operation'>

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
  /** Looks at the body before any step does, and throws when it is refused; undefined where there is nothing to say. */
  readonly checkBody: ((body: AskedBody) => void) | undefined
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
