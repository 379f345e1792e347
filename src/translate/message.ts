import type { EngineFacts } from '../api/engine-facts.ts'
import type { ErrorForm } from '../api/errors.ts'
import type { JsonObject, JsonValue } from '../api/json/json.ts'
import type { OperationName } from '../api/operations.ts'
import type { ApiVersion } from '../api/version.ts'
import type { Headers } from '../http/headers.ts'

/** What steps see and change of a request. `body` is undefined where the plan needs none of it. */
export interface RequestMessage {
  method: string
  /** Without version prefix and query, as it goes to the engine: percent-encoded. */
  path: string
  /** Path parameters, decoded: `name` or `id`. Changing them has no effect; change `path`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  body: JsonValue | undefined
  /** A body that was read and is no JSON. It goes on as it came unless a step deletes it. */
  text?: string
}

/** What steps see and change of an answer, or of one record of a stream. */
export interface ResponseMessage {
  status: number
  readonly headers: Headers
  /** The parsed body; undefined when there is none, when it is not JSON or when no step needs it. */
  body: JsonValue | undefined
  /** The text of an error body or of a body that is not JSON. Error steps change it. */
  text?: string
  /** How the error is written: as it came, until a change says otherwise. */
  form?: ErrorForm
}

/** A value that could not be carried over. */
export interface Loss {
  /** The member, parameter or endpoint, as a person would name it: `HostConfig.CpuPeriod`. */
  readonly what: string
  /** The version that has it. */
  readonly needs: ApiVersion
  /** The id of the change that knows. */
  readonly change: string
  readonly outcome: 'warned' | 'ignored'
}

/** What a step says of it; what comes of that is not its business. */
export type Lost = Omit<Loss, 'outcome'> & { readonly onLoss: OnLoss }

export type LossPolicy = 'strict' | 'warn' | 'ignore'

/** Containers that ask for the engine's socket get the bridge's. */
export interface SocketMounts {
  /** Paths of the engine's socket on its host. */
  readonly engine: ReadonlySet<string>
  /** The bridge's, on the same host. */
  readonly own: string
}

/** The settings that choose among steps. Part of the plan's key. */
export interface TranslationPolicy {
  readonly newerFields: 'drop' | 'pass'
  readonly losses: LossPolicy
  readonly profile: 'engine' | 'spec'
  /** What clients are told is the highest version, when it is not the engine's own. */
  readonly announce: ApiVersion | undefined
  /** What a start with a HostConfig does where only another container would have it; by default it is refused. */
  readonly startHostConfig?: 'recreate' | 'refuse'
  /** Undefined: mounts of the engine's socket stay as they are asked for. */
  readonly socketMounts?: SocketMounts | undefined
}

/** Containers that were made anew under another id than the one that create gave their client: src/engine/replaced. */
export interface ReplacedContainerIds {
  /** Whether any container is being made anew, or has been since this bridge was started. */
  readonly begun: boolean
  /** The engine's id for what a client says; anything that is no such id comes back as it is. */
  toEngine(said: string): string
  /** The id that the client knows; anything else comes back as it is. */
  toClient(id: string): string
  /** Remembers across restarts that a container is to stand for the client's id. Gives what undoes that. */
  keep(clientId: string, engineId: string): Promise<() => Promise<void>>
  /** A container stands for the client's id from now on. */
  replaced(clientId: string, engineId: string): void
  /** The container has been removed. */
  forget(engineId: string): void
  /** Runs `work` while no other start works on the container. */
  alone<T>(container: { readonly id: string; readonly name: string }, work: () => Promise<T>): Promise<T>
  /** Whether a container of that name is being made, to stand for that id of a client's. */
  isMaking(name: JsonValue | undefined, clientId: JsonValue | undefined): boolean
  /** Whether a client is attached to the container, waits for it or follows it through the bridge. */
  isWatched(container: { readonly id: string; readonly name: string }): boolean
}

/** Containers that the bridge removes when they stop: src/engine/auto-removal.ts. */
export interface ContainerRemoval {
  /** Whether it can watch no more of them. */
  readonly full: boolean
  add(facts: EngineFacts, id: string): void
  removed(id: string): Promise<number> | undefined
  /** Removes the container if it is one of them. */
  notStarted(facts: EngineFacts, id: string): void
}

/** What every step gets beside its message. */
export interface StepContext {
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly engine: EngineFacts
  readonly policy: TranslationPolicy
  /** The client's own call, before any step. */
  readonly call: { readonly params: Readonly<Record<string, string>>; readonly query: URLSearchParams }
  /** Per call, shared by its steps: what an earlier record or leg left for a later one. */
  readonly memory: Map<string, JsonValue>
  /** Absent in tests of single steps. */
  readonly replacedContainers?: ReplacedContainerIds
  /** Absent where nobody could wait for a container (the library, `explain`). */
  readonly autoRemoval?: ContainerRemoval | undefined
  /**
   * Whether anything but the message itself, its call and the engine's facts was looked at or reported so far: ids that
   * were made anew, `memory`, losses. If not, the same message always becomes the same. Absent in tests of single steps.
   */
  readonly personal?: boolean
  /**
   * Reports a value that the target cannot express. `refuse` or the policy `strict` end the call (throws ProxyError);
   * otherwise the loss goes into the audit record, a response header and, for create and update, `Warnings`.
   */
  lose(loss: Lost): void
  /** Says in the record, and in `Warnings` where the answer has them, what was done. Absent in tests of single steps. */
  note?(text: string): void
  /** Reports a member of the client's request that an engine of its version would have ignored. */
  ignore(what: string, change: string): void
}

/** `refuse`: always. `warn`: by policy. `ignore`: never refused, only recorded. */
export type OnLoss = 'refuse' | 'warn' | 'ignore'

/** An engine's answer to a call that an emulation made. */
export interface EngineAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue | undefined
  /** The message of an error, '' otherwise. */
  readonly error: string
}

/** The beginning of an answer: at least the bytes asked for, or all there are. */
export interface EngineStart {
  readonly status: number
  readonly start: Buffer
  /** The message of an error, '' otherwise. */
  readonly error: string
}

export interface EmulationContext extends StepContext {
  /** Calls the engine at the target version. Bodies are JSON and bounded. Never retried. */
  engineCall(
    method: string,
    path: string,
    options?: { query?: Record<string, string>; body?: JsonValue },
  ): Promise<EngineAnswer>
  /** How often that has been done. Absent in tests of single steps. */
  readonly engineCalls?: number
  /**
   * Throws the refusal if the access policy does not let this call be made: for what is done in several steps, before
   * the first of them. Absent in tests of single steps.
   */
  permit?(method: string, path: string, body?: JsonValue): void
  /**
   * The engine's `GET /info` at the target version, asked once for as long as the engine stays the same: for what does
   * not change while it runs (cgroup version, storage driver). Undefined when it does not answer.
   */
  engineInfo(): Promise<JsonObject | undefined>
  /**
   * What a request emulation does once a streamed answer has gone to the client whole, before it ends: it gets the last
   * of it, and what it returns is appended.
   */
  readonly afterwards: ((tail: string) => Promise<string>)[]
  /** The first bytes of an answer that is no JSON; the engine's work ends there. */
  engineStart(
    method: string,
    path: string,
    options: { body?: JsonValue; bytes: number; signal?: AbortSignal },
  ): Promise<EngineStart>
  /** Applies the response steps of another operation at the same versions to a body; null for a record that they drop. */
  translateResponse(operation: OperationName, body: JsonValue): JsonValue
}

export type RequestStep = (message: RequestMessage, context: StepContext) => void
/** Returning `drop` takes a record out of a stream; `last` ends the stream after it. */
export type ResponseStep = (message: ResponseMessage, context: StepContext) => void | 'drop' | 'last'
export type RequestEmulation = (message: RequestMessage, context: EmulationContext) => Promise<void>
export type ResponseEmulation = (message: ResponseMessage, context: EmulationContext) => Promise<void>

/** Thrown by an emulation that has the whole answer: it goes to the client as it is. */
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

/** Thrown by an emulation whose answer begins at once and comes later: `docker run` starts its container between the two. */
export class HeldAnswer extends Error {
  override readonly name = 'HeldAnswer'
  readonly later: Promise<JsonValue>
  /** The client has left. */
  readonly abandon: () => void

  constructor(later: Promise<JsonValue>, abandon: () => void) {
    super('answered without forwarding')
    this.later = later
    this.abandon = abandon
  }
}
