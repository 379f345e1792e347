import type { EngineFacts } from '../api/engine-facts.ts'
import type { ErrorForm } from '../api/errors.ts'
import type { JsonObject, JsonValue } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import type { ApiVersion } from '../api/version.ts'
import type { Headers, ReadonlyHeaders } from '../http/headers.ts'

/** A request as steps see and change it. `body` is undefined if the plan does not need it. */
export interface RequestMessage {
  method: string
  /** Path for the engine, percent-encoded, without version prefix and query. */
  path: string
  /** Decoded path parameters: `name` or `id`. Changing them has no effect; change `path`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  body: JsonValue | undefined
  /** A body that is not JSON. Forwarded unchanged unless a step deletes it. */
  text?: string
}

/** A response, or one record of a stream, as steps see and change it. */
export interface ResponseMessage {
  status: number
  readonly headers: Headers
  /** The parsed body; undefined without a body, for other content than JSON, and if no step needs it. */
  body: JsonValue | undefined
  /** The text of an error body or of a body that is not JSON. Error steps change it. */
  text?: string
  /** The form of the error: as received unless a change sets another. */
  form?: ErrorForm
}

/** A value that could not be translated. */
export interface Loss {
  /** The member, parameter or endpoint, in readable form: `HostConfig.CpuPeriod`. */
  readonly what: string
  /** The version that has it. */
  readonly needs: ApiVersion
  /** Id of the change that reports it. */
  readonly change: string
  readonly outcome: 'warned' | 'ignored'
}

/** A loss as reported by a step; the loss policy decides what happens. */
export type LossReport = Omit<Loss, 'outcome'> & { readonly onLoss: OnLoss }

export type LossPolicy = 'strict' | 'warn' | 'ignore'

/** Replaces mounts of the engine's socket by the bridge's socket. */
export interface SocketMounts {
  /** Paths of the engine's socket on its host. */
  readonly engine: ReadonlySet<string>
  /** The bridge's socket, on the same host. */
  readonly own: string
}

/** Settings that select steps; part of the plan's cache key. */
export interface TranslationPolicy {
  /** `obeyed`: as `pass`, for what engines obey and show whatever the prefix (rules/clients.ts). */
  readonly newerFields: 'drop' | 'pass' | 'obeyed'
  readonly losses: LossPolicy
  readonly profile: 'engine' | 'spec'
  /** The highest version announced to clients, if not the engine's own. */
  readonly announce: ApiVersion | undefined
  /** Handling of a start with a HostConfig that needs another container; default: refuse. */
  readonly startHostConfig?: 'recreate' | 'refuse'
  /** Undefined: mounts of the engine's socket stay unchanged. */
  readonly socketMounts?: SocketMounts | undefined
}

/** Ids of replaced containers, which differ from those their clients got from create: src/engine/replaced. */
export interface ReplacedContainerIds {
  /** A container is being replaced, or has been since the bridge started. */
  readonly begun: boolean
  /** Maps a client's id to the engine's; returns anything else unchanged. */
  readonly toEngine: (said: string) => string
  /** Maps the engine's id to the client's; returns anything else unchanged. */
  readonly toClient: (id: string) => string
  /** Persists that a container will replace the client's id: before the client's own is removed. */
  keep(clientId: string, engineId: string): Promise<void>
  /** Activates the replacement for the client's id. */
  replaced(clientId: string, engineId: string): void
  /** Looks, unless it has just looked, for what another bridge has replaced or left half done. */
  noteUnknownId(said: string, facts: EngineFacts): void
  /** The container has been removed. */
  forget(engineId: string): void
  /** Runs `work` while no other start works on the container. */
  runExclusively<T>(container: { readonly id: string; readonly name: string }, work: () => Promise<T>): Promise<T>
  /** A container of that name is being created to replace that client id. */
  isMaking(name: JsonValue | undefined, clientId: JsonValue | undefined): boolean
  /** A client is attached to the container, waits for it or follows it through the bridge, by the client's id or the engine's. */
  isWatched(container: { readonly id: string; readonly name: string }): boolean
}

/** Containers that the bridge removes when they stop: src/engine/auto-removal.ts. */
export interface ContainerRemoval {
  /** The limit of watched containers is reached. */
  readonly full: boolean
  add(facts: EngineFacts, id: string): void
  removed(id: string): Promise<number> | undefined
  /** Removes the container if it is one of them. */
  notStarted(facts: EngineFacts, id: string): void
}

/** Rewrites a body that streams, piece by piece. A piece is only valid during the call. */
export interface BodyRewriter {
  push(piece: Buffer): Buffer[]
  /** What follows the last piece. A promise, if it takes further calls to the engine. */
  rest(): Buffer | Promise<Buffer>
}

/** Passed to every step together with its message. */
export interface StepContext {
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly engine: EngineFacts
  readonly policy: TranslationPolicy
  /** The client's own call, before any step. */
  readonly call: { readonly params: Readonly<Record<string, string>>; readonly query: URLSearchParams }
  /** Per call, shared by its steps: state that an earlier record or leg leaves for a later one. */
  readonly memory: Map<string, JsonValue>
  /** Absent in tests of single steps. */
  readonly replacedContainers?: ReplacedContainerIds
  /** Absent where waiting for a container is impossible (the library, `explain`). */
  readonly autoRemoval?: ContainerRemoval | undefined
  /**
   * The translation has used more than the message, its call and the engine's facts: ids of replaced containers,
   * `memory`, losses, further engine calls. Otherwise its result can be cached. Absent in tests of single steps.
   */
  readonly uncacheable?: boolean
  /** For a body that streams, as its steps leave it: set by a step that calls the engine, or of the response's head. */
  rewriter?: BodyRewriter
  /**
   * Reports a value that the target cannot express. `refuse` or the policy `strict` ends the call (throws a
   * ProxyError); otherwise the loss goes into the audit record, a response header and, for create and update,
   * `Warnings`.
   */
  lose(loss: LossReport): void
  /** Reports an emulation in the audit record and, if the response has them, `Warnings`. Absent in tests of steps. */
  note?(text: string): void
  /** Reports a member of the client's request that an engine of the client's version would have ignored. */
  ignore(what: string, change: string): void
}

/** `refuse`: always. `warn`: by policy. `ignore`: never refused, only recorded. */
export type OnLoss = 'refuse' | 'warn' | 'ignore'

/** An engine's response to a call of an emulation. */
export interface EngineAnswer {
  readonly status: number
  readonly headers: ReadonlyHeaders
  readonly body: JsonValue | undefined
  /** The message of an error, '' otherwise. */
  readonly error: string
}

/** The start of a response: at least the requested number of bytes, its first record, or all of it. */
export interface EngineStart {
  readonly status: number
  readonly start: Buffer
  /** The message of an error, '' otherwise. */
  readonly error: string
}

/** The call is aborted after so many bytes, or after the first record of a stream. */
export interface EngineStartOptions {
  readonly bytes: number
  readonly untilRecord?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface EngineCallOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonValue
  readonly registryAuth?: string | undefined
  readonly timeoutMs?: number
}

export interface EmulationContext extends StepContext {
  /**
   * Calls the engine at the target version. Bodies are JSON of limited size. `registryAuth`: the client's credential;
   * `timeoutMs`: timeout for the response's head; by default that of the client's own calls, for reads before the first change.
   */
  engineCall(method: string, path: string, options?: EngineCallOptions): Promise<EngineAnswer>
  /**
   * The network of each endpoint seen of late. The id of an endpoint is random and its network never changes: no entry gets
   * stale.
   */
  readonly endpoints: Map<string, string>
  /** Throws a ProxyError if the access policy denies the call: lets an emulation of several calls fail before the first. */
  permit(method: string, path: string, body?: JsonValue): void
  /** Whether the access policy allows a call that the client can do without: its own call must not be denied for it. */
  allows(method: string, path: string, body?: JsonValue): boolean
  /**
   * The engine's `GET /info` at the target version, requested once per engine: for facts that are fixed while it runs
   * (cgroup version, storage driver). Undefined if the request fails.
   */
  engineInfo(): Promise<JsonObject | undefined>
  /** The first bytes of a response that is not JSON; then the call is aborted. */
  engineStart(method: string, path: string, options: EngineStartOptions & { body?: JsonValue }): Promise<EngineStart>
  /**
   * Applies another operation's response steps at the same versions to a body; null for a record that they drop.
   * `newerFields`: instead of the policy's.
   */
  translateResponse(operation: OperationName, body: JsonValue, newerFields?: 'drop'): JsonValue
}

/** `drop` removes a record from its stream; `last` ends the stream after it. */
export type Outcome = void | 'drop' | 'last'
/** A step that calls the engine returns a promise, and its context is an EmulationContext. */
export type Step<Message> = (message: Message, context: StepContext) => Outcome | Promise<void>
export type RequestStep = Step<RequestMessage>
export type ResponseStep = Step<ResponseMessage>

/** A step of a plan. */
export interface PlannedStep<Message> {
  readonly run: Step<Message>
  readonly callsEngine?: boolean
  /** The id of the change that it belongs to; absent: the bridge's own. */
  readonly change?: string
}

/** Thrown by an emulation that has the complete response; it is sent to the client unchanged. */
export class Answer extends Error {
  override readonly name = 'Answer'
  readonly status: number
  readonly body: JsonValue | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body?: JsonValue, headers: Readonly<Record<string, string>> = {}) {
    super(`answered ${status} without forwarding`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Thrown by an emulation that sends its head at once, its body later: `docker run` starts its container in between. */
export class HeldAnswer extends Error {
  override readonly name = 'HeldAnswer'
  readonly later: Promise<JsonValue>
  /** Called if the client leaves. */
  readonly abandon: () => void

  constructor(later: Promise<JsonValue>, abandon: () => void) {
    super('answered without forwarding')
    this.later = later
    this.abandon = abandon
  }
}
