import type { Aliases } from './aliases/aliases.ts'
import type { OperationName } from './api/operations.ts'
import { type ApiVersion, formatVersion } from './api/version.ts'
import { type Asking, askEngine, askForStart } from './ask-engine.ts'
import type { Entry } from './audit/audit.ts'
import type { EngineRequest } from './engine/connection.ts'
import { Refusal } from './errors.ts'
import type { AnyPlan, Guard, Outgoing, Tap } from './lanes/carriage.ts'
import type { Call } from './read-call.ts'
import type { Exchange } from './translate/change.ts'
import type { Plans } from './translate/compile.ts'
import { Headers } from './translate/headers.ts'
import { isObject, type JsonObject, type JsonValue, writeJson } from './translate/json.ts'
import type {
  EmulationContext,
  EngineAnswer,
  EngineFacts,
  EngineStart,
  Lost,
  ResponseMessage,
  TranslationPolicy,
} from './translate/message.ts'
import { AskedCall } from './translate/query.ts'

export interface ContextNeeds extends Asking {
  readonly plans: Plans
  readonly policy: TranslationPolicy
  readonly infos: EngineInfos
  readonly aliases: Aliases
}

/** A call that an emulation makes. */
type FurtherCall = EngineRequest & { readonly body: Buffer | null }

/** `GET /info` of each engine that was met; goes with the facts it belongs to. */
export type EngineInfos = WeakMap<EngineFacts, Promise<JsonObject | undefined>>

export function makeContext(
  needs: ContextNeeds,
  call: Call,
  plan: AnyPlan,
  engine: EngineFacts,
  entry: Entry,
  tap: Tap | undefined,
  guard: Guard | undefined,
): EmulationContext {
  return new CallContext(needs, { call, plan, entry, tap, guard }, engine, call.match?.operation.name ?? 'SystemPing')
}

/** Whom a context belongs to. */
interface Owner {
  readonly call: Call
  readonly plan: AnyPlan
  readonly entry: Entry
  readonly tap: Tap | undefined
  readonly guard: Guard | undefined
}

/** What steps and emulations of one call may see and do. Whatever most calls ask nothing of is made when it is asked for. */
class CallContext implements EmulationContext {
  readonly operation: OperationName
  readonly engine: EngineFacts
  readonly #needs: ContextNeeds
  readonly #owner: Owner
  #personal = false
  #call: AskedCall | undefined
  #memory: Map<string, JsonValue> | undefined
  #afterwards: EmulationContext['afterwards'] | undefined
  #engineCalls = 0

  constructor(needs: ContextNeeds, owner: Owner, engine: EngineFacts, operation: OperationName) {
    this.#needs = needs
    this.#owner = owner
    this.engine = engine
    this.operation = operation
  }

  get client(): ApiVersion {
    return this.#owner.plan.client
  }

  get target(): ApiVersion {
    return this.#owner.plan.target
  }

  get policy(): TranslationPolicy {
    return this.#needs.policy
  }

  get call(): AskedCall {
    const { call } = this.#owner
    this.#call ??= new AskedCall(call.match?.params ?? {}, call.search)
    return this.#call
  }

  get personal(): boolean {
    return this.#personal
  }

  get memory(): Map<string, JsonValue> {
    this.#personal = true
    this.#memory ??= new Map()
    return this.#memory
  }

  get aliases(): Aliases {
    this.#personal = true
    return this.#needs.aliases
  }

  get afterwards(): EmulationContext['afterwards'] {
    this.#afterwards ??= []
    return this.#afterwards
  }

  get engineCalls(): number {
    return this.#engineCalls
  }

  lose({ what, needs, change, onLoss }: Lost): void {
    this.#personal = true
    const { plan, entry } = this.#owner
    const { losses } = this.policy
    if (onLoss === 'refuse' || (onLoss === 'warn' && losses === 'strict'))
      throw new Refusal('loss', `${what} is not supported by the engine: ${whyLost(needs, plan, this.engine)}`)
    const outcome = onLoss === 'warn' && losses === 'warn' ? 'warned' : 'ignored'
    entry.lost({ what, needs, change, outcome })
  }

  ignore(what: string): void {
    this.#personal = true
    this.#owner.entry.ignores(what)
  }

  async engineCall(
    method: string,
    path: string,
    options: { query?: Record<string, string>; body?: JsonValue } = {},
  ): Promise<EngineAnswer> {
    this.#engineCalls++
    const query = options.query === undefined ? '' : `?${new URLSearchParams(options.query)}`
    return this.#ask(this.#permitted(this.#prepared(method, `${path}${query}`, options.body)))
  }

  permit(method: string, path: string, body?: JsonValue): void {
    this.#permitted(this.#prepared(method, path, body))
  }

  engineInfo(): Promise<JsonObject | undefined> {
    const { infos } = this.#needs
    let info = infos.get(this.engine)
    if (info === undefined) {
      // What the bridge wants to know of its engine is not what this client may know.
      const asking = this.#ask(this.#prepared('GET', '/info', undefined))
      info = asking.then(({ body }) => (isObject(body) ? body : undefined))
      infos.set(this.engine, info)
      info.catch(() => infos.delete(this.engine)) // the next call asks again
    }
    return info
  }

  async engineStart(
    method: string,
    path: string,
    { body, bytes }: { body?: JsonValue; bytes: number },
  ): Promise<EngineStart> {
    const request = this.#shown(this.#permitted(this.#prepared(method, path, body)))
    return askForStart(this.#needs, request, bytes).finally(() => this.#owner.entry.heard())
  }

  translateResponse(operation: OperationName, body: JsonValue): JsonValue {
    const { plan } = this.#owner
    const other = this.#needs.plans.get(operation, plan.client, plan.target, plan.highest)
    const message: ResponseMessage = { status: 200, headers: new Headers(), body }
    const context = new CallContext(this.#needs, this.#owner, this.engine, operation)
    context.#memory = this.memory
    for (const step of other.response.body) step(message, context)
    return message.body ?? null
  }

  #prepared(method: string, path: string, said: JsonValue | undefined): FurtherCall {
    const body = said === undefined ? null : Buffer.from(writeJson(said))
    const headers = ['Host', 'docker', ...(body === null ? [] : ['Content-Type', 'application/json'])]
    return { method, path: `/v${formatVersion(this.target)}${this.#known(path)}`, headers, body }
  }

  /** Emulations name containers as their client does. */
  #known(path: string): string {
    return path.replace(
      /^(\/containers\/)([0-9a-f]{12,64})(?=\/|$|\?)/,
      (_all, start, said) => start + this.#needs.aliases.toEngine(said),
    )
  }

  #permitted(request: FurtherCall): FurtherCall {
    this.#owner.guard?.check(outgoing(request), true)
    return request
  }

  #shown(request: FurtherCall): FurtherCall {
    const { entry, tap } = this.#owner
    entry.asks(request, true)
    tap?.request(request, true)
    return request
  }

  #ask(request: FurtherCall): Promise<EngineAnswer> {
    return askEngine(this.#needs, this.#shown(request)).finally(() => this.#owner.entry.heard())
  }
}

const outgoing = ({ method, path, body }: FurtherCall): Outgoing => ({
  method,
  path,
  contentType: body === null ? undefined : 'application/json',
  body: body ?? undefined,
})

/** A member is lost on an engine that does not have it yet, or is not asked for it (a pin), or has it no longer. */
function whyLost(version: ApiVersion, { client, target }: Exchange, engine: EngineFacts): string {
  const has = `the engine has API ${formatVersion(engine.highest)}`
  if (client >= version && target < version && version <= engine.highest)
    return `it needs API ${formatVersion(version)} and the engine is asked for ${formatVersion(target)}`
  return version > engine.highest
    ? `it needs API ${formatVersion(version)} and ${has}`
    : `it is gone from API ${formatVersion(version)} on and ${has}`
}
