import type { JsonValue } from '../../api/json/json.ts'
import type { OperationName, ResponseKind } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import type { Finding } from '../../api/validation/finding.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import type { Loss } from '../../translate/message.ts'
import type { Auditing, SessionTreatment, Subject, Treatment } from '../audit.ts'
import type { Counted } from '../metrics/metrics.ts'
import type { CallObserver, RequestHead } from '../observer.ts'
import { Capture } from '../record/capture.ts'
import type { Names } from '../record/names.ts'
import type { Peer } from '../record/peer.ts'
import type { AuditRecord } from '../record/record.ts'
import type { Level, Stage } from '../record/terms.ts'
import { AppliedChanges, type Decision, Facts, type PolicyDecision } from './facts.ts'
import { RecordBuilder } from './record-builder.ts'

export type { Applied, Decision, PolicyDecision } from './facts.ts'

/** Responses that are sent while they are produced. */
const LASTING: ReadonlySet<ResponseKind> = new Set(['stream', 'progress', 'records', 'hijack'])

/** Limit of further calls that a record lists. */
const MAX_FURTHER_CALLS = 100

/** Gathers what happens to one call, and has its records written when it comes, opens and closes. */
export class Entry implements Subject {
  readonly #auditing: Auditing
  readonly #treatment: Treatment
  readonly #call: Call
  readonly #facts = new Facts()
  readonly #records: RecordBuilder
  readonly #capture: Capture | undefined
  readonly peer: Peer
  /** The changes that modified the messages. */
  readonly changes: AppliedChanges
  #closed = false

  constructor(auditing: Auditing, call: Call, peer: Peer) {
    this.#auditing = auditing
    this.#call = call
    this.peer = peer
    this.#records = new RecordBuilder(auditing, call, peer, this.#facts)
    this.#treatment = auditing.treat(this)
    const { level } = this.#treatment
    this.changes = new AppliedChanges(level, this.#facts.applied)
    if (level === 'request' || level === 'requestResponse') this.#capture = new Capture(level, this.operation)
  }

  get id(): string {
    return this.#records.id
  }

  get names(): Names {
    return this.#records.names
  }

  get operation(): OperationName | undefined {
    return this.#call.match?.operation.name
  }

  get method(): string {
    return this.#call.method
  }

  get path(): string {
    return this.#call.path
  }

  get level(): Level {
    return this.#treatment.level
  }

  /** How to record the call's session; undefined: not at all. */
  get sessions(): SessionTreatment | undefined {
    return this.#treatment.sessions
  }

  /** Sees the bodies that the level asks for. */
  get observer(): CallObserver | undefined {
    return this.#capture
  }

  /** Before anything is forwarded. A returned promise must be awaited: nothing goes out before its record is safe. */
  forwarding(decision: Decision): Promise<void> | undefined {
    this.#facts.decision = decision
    this.changes.begin()
    return this.#write('received')
  }

  /** The client is told a version that it is known to work with, instead of the engine's. */
  told({ name, version }: { readonly name: string; readonly version: ApiVersion }): void {
    this.#facts.knownClient = { name, told: formatVersion(version) }
  }

  /** The access policy's decision on the call. */
  decided(decision: PolicyDecision): void {
    this.#facts.policy = decision
  }

  /** A request goes to the engine: the call itself, or one that the bridge makes for it. */
  asks(head: RequestHead, byBridge: boolean): void {
    this.#facts.timing.asks()
    if (!byBridge) this.#facts.forwarded = head
    else if (this.furtherCalls < MAX_FURTHER_CALLS) this.#facts.further.push(head)
  }

  /** How many calls the bridge itself has made. */
  get furtherCalls(): number {
    return this.#facts.further.length
  }

  get losses(): readonly Loss[] {
    return this.#facts.losses
  }

  /** The engine's version cannot express a value. */
  lost(loss: Loss): void {
    this.#facts.losses.push(loss)
  }

  /** A part of the client's request that had no effect. */
  ignores(what: string): void {
    this.#facts.ignored.push(what)
  }

  /** What was done with the request besides its translation. */
  notes(text: string): void {
    this.#facts.notes.push(text)
  }

  get noted(): readonly string[] {
    return this.#facts.notes
  }

  /** Something is not valid at the client's version, forwarded or not. */
  found({ field, rule }: Finding): void {
    this.#facts.findings.push({ field, rule })
  }

  /** The head of the engine's response has come, or the body that was awaited. */
  heard(): void {
    this.#facts.timing.heard()
  }

  /** The response is sent only once its body is whole. That may take long: `wait` lasts as long as its container runs. */
  awaitsBody(): void {
    this.#facts.timing.asks()
  }

  /** A form that the client sent, as a query. */
  saidByForm(search: string): void {
    this.#records.secrets.said(search)
  }

  /** The client's body, where it was parsed. */
  parsed(body: JsonValue | undefined): void {
    this.#records.secrets.parsed(body)
  }

  answered(status: number): void {
    this.#facts.status = status
    this.#facts.timing.answered()
  }

  /** A stream or a tunnel is open: a record of its own, because the last one may come after days. */
  opened(status: number): void {
    this.answered(status)
    if (!this.lasts) return
    this.#write('answered')?.catch(() => undefined) // the sink has logged the failure; the call is under way
  }

  /** Whether the response may last: a stream, a tunnel, or an unknown path. */
  get lasts(): boolean {
    const kind = this.#call.match?.operation.response
    return this.#facts.decision?.lane === 'tunnel' || kind === undefined || LASTING.has(kind)
  }

  /** Bytes to the client. */
  sent(bytes: number): void {
    this.#facts.bytesOut += bytes
  }

  /** Bytes of the client's body, or through its tunnel. */
  received(bytes: number): void {
    this.#facts.bytesIn += bytes
  }

  clientLeft(): void {
    this.endedBy('client')
  }

  endedBy(who: 'client' | 'engine' | 'bridge'): void {
    this.#facts.endedBy ??= who
  }

  /** The file that has the call's session. */
  recordedIn(file: string): void {
    this.#facts.session = file
  }

  failed(code: string, message: string): void {
    this.#facts.error ??= { code, message }
  }

  /** A text for the log, without this call's secrets. */
  clean(text: string): string {
    return this.#records.secrets.clean(text)
  }

  /** What the client got; undefined until it is known. */
  get status(): number | undefined {
    return this.#facts.status
  }

  /** What a record would say of the call by now, bodies aside; without secrets. */
  get report(): Readonly<AuditRecord> {
    return this.#records.report(this.#treatment.rule)
  }

  /** What the metrics count. */
  get summary(): Counted {
    return { operation: this.operation ?? 'unknown', ...this.#facts.counted }
  }

  /** Writes the last record; the second call does nothing. */
  close(): Promise<void> | undefined {
    if (this.#closed) return undefined
    this.#closed = true
    return this.#write(this.#facts.error === undefined ? 'complete' : 'failed')
  }

  #write(stage: Stage): Promise<void> | undefined {
    const { level, omits, rule } = this.#treatment
    if (level === 'none' || omits.has(stage)) return undefined
    const { sink } = this.#auditing
    if (stage === 'received') return sink.write(this.#records.received(stage, level, rule))
    return sink.write(this.#records.afterwards(stage, level, rule, stage === 'answered' ? undefined : this.#capture))
  }
}
