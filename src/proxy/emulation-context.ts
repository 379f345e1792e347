import type { EngineFacts } from '../api/engine-facts.ts'
import { ProxyError } from '../api/errors.ts'
import { isObject, type JsonObject, type JsonValue, writeJson } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import type { Call } from '../api/read-call.ts'
import { type ApiVersion, formatVersion } from '../api/version.ts'
import type { Entry } from '../audit/entry/entry.ts'
import { type Asking, askEngine, askForStart } from '../engine/ask.ts'
import type { ReplacedContainers } from '../engine/replaced/replaced-containers.ts'
import { type EngineCall, type EngineRequest, isSafe, type ResponseSink } from '../http/engine/request.ts'
import { Headers } from '../http/headers.ts'
import type {
  BodyRewriter,
  EmulationContext,
  EngineAnswer,
  EngineCallOptions,
  EngineStart,
  EngineStartOptions,
  LossReport,
  ResponseMessage,
  TranslationPolicy,
} from '../translate/message.ts'
import type { AnyPlan } from '../translate/plans.ts'
import { ClientCall } from '../translate/query.ts'
import { refuseLoss } from '../translate/run/loss.ts'
import { runWithoutEngine } from '../translate/run/steps.ts'
import type { Core } from './core.ts'
import { podmanCall } from './engine-side/further-call.ts'

/** Without the engine's pool: calls reach the engine only through the exchange. */
export type EnginelessCore = Omit<Core, 'engine'>

/** The exchange's view of the call that a context belongs to. */
interface CallOfContext {
  readonly core: EnginelessCore
  readonly facts: EngineFacts
  readonly plan: AnyPlan
  readonly call: Call
  readonly entry: Entry
  permit(request: EngineRequest): void
  allows(request: EngineRequest): boolean
  /** Aborted when the client leaves. */
  readonly left: AbortSignal
  sendFurther(request: EngineRequest, sink: ResponseSink, judged: boolean, timeoutMs?: number): EngineCall
}

/** All creates below 1.41 wait for it. */
const INFO_MS = 30_000

/** Everything that the steps and emulations of one call can access. Rarely used members are created lazily. */
export class CallContext implements EmulationContext {
  readonly operation: OperationName
  readonly engine: EngineFacts
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly policy: TranslationPolicy
  readonly endpoints: Map<string, string>
  rewriter?: BodyRewriter
  uncacheable = false
  readonly #core: EnginelessCore
  readonly #exchange: CallOfContext
  /** A call that changes something has been made. */
  #changes = false
  /** Further calls that the engine has not answered yet. */
  #asked = 0
  #call: ClientCall | undefined
  #memory: Map<string, JsonValue> | undefined

  constructor(exchange: CallOfContext, operation?: OperationName) {
    const { core, facts } = exchange
    this.#core = core
    this.#exchange = exchange
    this.engine = facts
    this.client = exchange.plan.client
    this.target = exchange.plan.target
    this.policy = core.policy
    this.endpoints = core.endpoints
    this.operation = operation ?? exchange.call.match?.operation.name ?? 'SystemPing'
  }

  get call(): ClientCall {
    const { call } = this.#exchange
    this.#call ??= new ClientCall(call.match?.params ?? {}, call.search)
    return this.#call
  }

  get memory(): Map<string, JsonValue> {
    this.uncacheable = true
    this.#memory ??= new Map()
    return this.#memory
  }

  get replacedContainers(): ReplacedContainers {
    this.uncacheable = true
    return this.#core.replacedContainers
  }

  get autoRemoval(): EmulationContext['autoRemoval'] {
    this.uncacheable = true
    return this.#core.autoRemoval
  }

  lose(loss: LossReport): void {
    this.uncacheable = true
    const { what, needs, change, onLoss } = loss
    const { plan, entry } = this.#exchange
    const { losses } = this.policy
    refuseLoss(loss, losses, plan)
    if (entry.losses.some((one) => one.what === what && one.change === change)) return // of an object before
    const outcome = onLoss === 'warn' && losses === 'warn' ? 'warned' : 'ignored'
    entry.losses.push({ what, needs, change, outcome })
  }

  note(text: string): void {
    this.uncacheable = true
    this.#exchange.entry.notes.push(text)
  }

  ignore(what: string): void {
    this.uncacheable = true
    this.#exchange.entry.ignored.add(what)
  }

  async engineCall(
    method: string,
    path: string,
    { query, body, registryAuth, timeoutMs: given }: EngineCallOptions = {},
  ): Promise<EngineAnswer> {
    const usual = this.#timeoutOf(method)
    const timeoutMs = given ?? usual
    const message = { method, path, params: {}, query: new URLSearchParams(query), headers: new Headers(), body }
    const podman = podmanCall(this.#core.plans, this.engine, message, this)
    podman?.ask(message)
    const search = message.query.size === 0 ? '' : `?${message.query}`
    const request = this.#prepared(method, message.path + search, message.body)
    const headers = request.headers.copy()
    if (registryAuth !== undefined) headers.append('X-Registry-Auth', registryAuth)
    const answer = await this.#ask({ ...request, headers }, true, timeoutMs, this.#leaving())
    return podman?.read(answer) ?? answer
  }

  permit(method: string, path: string, body?: JsonValue): void {
    this.#exchange.permit(this.#prepared(method, path, body))
  }

  allows(method: string, path: string, body?: JsonValue): boolean {
    this.uncacheable = true // another listener may have another policy
    return this.#exchange.allows(this.#prepared(method, path, body))
  }

  engineInfo(): Promise<JsonObject | undefined> {
    this.uncacheable = true
    const { infos, limits } = this.#core
    const known = infos.get(this.engine)
    if (known !== undefined) return known
    // The client's policy does not apply: the bridge asks for itself.
    const timeoutMs = limits['answer-timeout'] || INFO_MS
    const asking = this.#ask(this.#prepared('GET', '/info', undefined), false, timeoutMs)
    const info = asking.then(({ status, body }) => (status === 200 && isObject(body) ? body : undefined))
    infos.set(this.engine, info)
    const forget = (): void => void infos.delete(this.engine) // the next call tries again
    info.then((found) => found ?? forget(), forget)
    return info
  }

  async engineStart(
    method: string,
    path: string,
    { body, ...options }: EngineStartOptions & { body?: JsonValue },
  ): Promise<EngineStart> {
    const request = this.#prepared(method, path, body)
    // It only reads, also with the POST of a copy. A signal of its own: for events, which may come late.
    const timeoutMs = options.signal === undefined ? this.#timeoutOf('GET') : 0
    const asking = { ...options, timeoutMs, signal: options.signal ?? this.#leaving() }
    return askForStart(this.#engine(true), request, asking).finally(() => this.#exchange.entry.timing.engineResponded())
  }

  translateResponse(operation: OperationName, body: JsonValue, newerFields?: 'drop'): JsonValue {
    const { plans } = this.#core
    const other = (newerFields ? plans.under({ newerFields }) : plans).get(operation, this.#exchange.plan)
    const message: ResponseMessage = { status: 200, headers: new Headers(), body }
    const context = new CallContext(this.#exchange, operation)
    context.#memory = this.memory
    return runWithoutEngine(other.response.body, message, context) ? null : (message.body ?? null)
  }

  /** Only for reads, as in the client's own calls, and none after a change: what has been begun is finished or undone. */
  #timeoutOf(method: string): number {
    this.#changes ||= !isSafe(method) || !isSafe(this.#exchange.entry.forwarded?.method ?? 'GET')
    return this.#changes ? 0 : this.#core.limits['answer-timeout']
  }

  /** Maps a container id in the path to the engine's: emulations use the ids that the client knows. */
  #prepared(method: string, clientPath: string, json: JsonValue | undefined): EngineRequest {
    const body = json === undefined ? null : Buffer.from(writeJson(json))
    const empty = method === 'GET' ? [] : ['Content-Length', '0']
    const further = body === null ? empty : ['Content-Type', 'application/json']
    const headers = Headers.fromRaw(['Host', 'docker', ...further])
    const path = clientPath.replace(
      /^(\/containers\/)([0-9a-f]{12,64})(?=\/|$|\?)/,
      (_all, start, id) => start + this.#core.replacedContainers.toEngine(id),
    )
    return { method, path: `/v${formatVersion(this.target)}${path}`, headers, body }
  }

  #engine(judged: boolean): Asking['engine'] {
    this.uncacheable = true
    return { send: (request, sink, timeoutMs) => this.#exchange.sendFurther(request, sink, judged, timeoutMs) }
  }

  #ask(request: EngineRequest, judged: boolean, timeoutMs = 0, signal?: AbortSignal): Promise<EngineAnswer> {
    const asking = { engine: this.#engine(judged), limits: this.#core.limits }
    this.#asked++
    return askEngine(asking, request, timeoutMs, signal).finally(() => {
      if (--this.#asked === 0) this.#exchange.entry.timing.engineResponded()
    })
  }

  /** Aborts further calls when the client leaves, as long as nothing has been changed: then it is finished or undone. */
  #leaving(): AbortSignal | undefined {
    if (this.#changes) return undefined
    const { left } = this.#exchange
    if (!left.aborted) return left
    throw new ProxyError('engine-broke-off', 'the client left before all further calls were made')
  }
}
