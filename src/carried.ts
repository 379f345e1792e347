import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Addressee } from './aliases/address.ts'
import type { Entry } from './audit/audit.ts'
import { type ContextNeeds, makeContext } from './context.ts'
import type { EngineConnection } from './engine/connection.ts'
import type { AnyPlan, Carriage, Guard, PlainCarriage, Tap, TunnelCarriage } from './lanes/carriage.ts'
import type { Pace } from './lanes/pace.ts'
import type { RememberedAnswers } from './lanes/remembered.ts'
import type { Limits } from './limits.ts'
import type { Call } from './read-call.ts'
import type { Headers } from './translate/headers.ts'
import type { EmulationContext, EngineFacts, RequestMessage } from './translate/message.ts'
import { AskedMessage } from './translate/query.ts'

/** What is known of a call when it is handed to its lane. */
export interface Known {
  readonly req: IncomingMessage
  readonly call: Call
  readonly addressee: Addressee
  readonly headers: Headers
  readonly plan: AnyPlan
  readonly facts: EngineFacts
  readonly entry: Entry
  readonly checkBody: Carriage['checkBody']
  readonly tap: Tap | undefined
  readonly guard: Guard | undefined
}

/** What carriages take of the journey. */
export interface Surroundings extends ContextNeeds {
  readonly engine: EngineConnection
  readonly answers: RememberedAnswers
  readonly limits: Limits
  readonly pace: Pace
}

/** A call for its lane. What only steps look at is made when the first one does: most calls have none. */
class Carried implements Carriage {
  readonly req: IncomingMessage
  readonly call: Call
  readonly plan: AnyPlan
  readonly message: RequestMessage
  readonly entry: Entry
  readonly checkBody: Carriage['checkBody']
  readonly tap: Tap | undefined
  readonly guard: Guard | undefined
  readonly engine: EngineConnection
  readonly limits: Limits
  readonly answers: RememberedAnswers
  readonly pace: Pace
  readonly #surroundings: Surroundings
  readonly #facts: EngineFacts
  #context: EmulationContext | undefined

  constructor(surroundings: Surroundings, known: Known) {
    const { addressee, headers } = known
    this.req = known.req
    this.call = known.call
    this.plan = known.plan
    this.message = new AskedMessage(known.call, addressee.wirePath, addressee.params, headers)
    this.entry = known.entry
    this.checkBody = known.checkBody
    this.tap = known.tap
    this.guard = known.guard
    this.engine = surroundings.engine
    this.limits = surroundings.limits
    this.answers = surroundings.answers
    this.pace = surroundings.pace
    this.#surroundings = surroundings
    this.#facts = known.facts
  }

  get context(): EmulationContext {
    const { call, plan, entry, tap, guard } = this
    this.#context ??= makeContext(this.#surroundings, call, plan, this.#facts, entry, tap, guard)
    return this.#context
  }
}

export class CarriedCall extends Carried implements PlainCarriage {
  readonly res: ServerResponse

  constructor(surroundings: Surroundings, known: Known, res: ServerResponse) {
    super(surroundings, known)
    this.res = res
  }
}

export class CarriedTunnel extends Carried implements TunnelCarriage {
  readonly socket: Duplex
  readonly head: Buffer
  readonly upgrade: string | undefined

  constructor(
    surroundings: Surroundings,
    known: Known,
    { socket, head, upgrade }: Pick<TunnelCarriage, 'socket' | 'head' | 'upgrade'>,
  ) {
    super(surroundings, known)
    this.socket = socket
    this.head = head
    this.upgrade = upgrade
  }
}
