import { randomUUID } from 'node:crypto'
import type { JsonValue } from '../../api/json/json.ts'
import type { OperationName, ResponseKind } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import type { Finding } from '../../api/validation/finding.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import type { Loss } from '../../translate/message.ts'
import type { Auditing, SessionTreatment, Subject, Treatment } from '../audit.ts'
import type { Counted } from '../metrics/metrics.ts'
import type { CallObserver, RequestHead } from '../observer.ts'
import { CallSecrets, plainHeader, plainPath } from '../redact/secrets.ts'
import { REDACTED } from '../redact/text.ts'
import { timestamp } from '../timestamp.ts'
import { Capture } from './capture.ts'
import { type Names, namesOf } from './names.ts'
import type { Peer } from './peer.ts'
import { type AuditRecord, type Level, SCHEMA, type Stage } from './record.ts'
import { Timing } from './timing.ts'

/** What was decided before anything is forwarded. */
export interface Decision {
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly lane: NonNullable<AuditRecord['lane']>
  readonly changes: readonly string[]
}

export type PolicyDecision = NonNullable<AuditRecord['policy']>

type Side = 'request' | 'response'
/** Changes that did something, by id; a side is absent where that is not found out. */
export type Applied = { [S in Side]?: Set<string> }
type Draft = { -readonly [Member in keyof AuditRecord]: AuditRecord[Member] }

/** Answers that come as they are made. */
const LASTING: ReadonlySet<ResponseKind> = new Set(['stream', 'progress', 'records', 'hijack'])

/** Of the calls that the bridge itself makes for one call. */
const MOST_FURTHER_CALLS = 100

/** Of what is not valid at the client's version. */
type Said = Pick<Finding, 'field' | 'rule'>

const NONE: readonly never[] = Object.freeze([])

/** One call's records. Lanes tell it what happens; it writes when the call comes, opens and closes. */
export class Entry implements Subject {
  readonly #auditing: Auditing
  readonly #treatment: Treatment
  readonly #call: Call
  readonly peer: Peer
  #id: string | undefined
  #names: Names | undefined
  #secretsOfCall: CallSecrets | undefined
  readonly #timing = new Timing()
  readonly #capture: Capture | undefined
  #decision: Decision | undefined
  #policy: PolicyDecision | undefined
  #told: AuditRecord['knownClient']
  #forwarded: RequestHead | undefined
  // Undefined until first used: most calls need none of these.
  #losses: Loss[] | undefined
  #ignored: string[] | undefined
  #noted: string[] | undefined
  #findings: Said[] | undefined
  #further: RequestHead[] | undefined
  readonly #applied: Applied = {}
  #watched: Applied | undefined
  #status: number | undefined
  #bytesIn = 0
  #bytesOut = 0
  #endedBy: AuditRecord['endedBy']
  #session: string | undefined
  #error: { code: string; message: string } | undefined
  #closed = false

  constructor(auditing: Auditing, call: Call, peer: Peer) {
    this.#auditing = auditing
    this.#call = call
    this.peer = peer
    this.#treatment = auditing.treat(this)
    const { level } = this.#treatment
    if (level === 'request' || level === 'requestResponse') this.#capture = new Capture(level, this.operation)
  }

  // Created lazily: with the audit off nothing reads them.

  get id(): string {
    this.#id ??= randomUUID()
    return this.#id
  }

  get names(): Names {
    this.#names ??= namesOf(this.#call)
    return this.#names
  }

  get #secrets(): CallSecrets {
    this.#secretsOfCall ??= new CallSecrets(this.#call, this.peer.headers, this.#auditing.redaction)
    return this.#secretsOfCall
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

  /** How the call's session is to be recorded; undefined: not at all. */
  get sessions(): SessionTreatment | undefined {
    return this.#treatment.sessions
  }

  /** Sees the bodies that the level asks for. */
  get observer(): CallObserver | undefined {
    return this.#capture
  }

  /** Before anything is forwarded. A promise is to be waited for: nothing goes out before its record is safe. */
  forwarding(decision: Decision): Promise<void> | undefined {
    this.#decision = decision
    if (this.measures('request')) this.#applied.request = new Set()
    if (this.measures('response')) this.#applied.response = new Set()
    return this.#write('received')
  }

  /** The client is known to misread newer answers, and is told an older version. */
  told({ name, understands }: { readonly name: string; readonly understands: ApiVersion }): void {
    this.#told = { name, told: formatVersion(understands) }
  }

  /** The access policy's word on the call. */
  decided(decision: PolicyDecision): void {
    this.#policy = decision
  }

  /** A request goes to the engine: the call itself, or one that the bridge makes for it. */
  asks(head: RequestHead, byBridge: boolean): void {
    this.#timing.asks()
    if (!byBridge) this.#forwarded = head
    else if (this.furtherCalls < MOST_FURTHER_CALLS) {
      this.#further ??= []
      this.#further.push(head)
    }
  }

  /** How many calls the bridge itself has made. */
  get furtherCalls(): number {
    return this.#further?.length ?? 0
  }

  get losses(): readonly Loss[] {
    return this.#losses ?? NONE
  }

  /** The engine's version cannot express a value. */
  lost(loss: Loss): void {
    this.#losses ??= []
    this.#losses.push(loss)
  }

  /** Something that the client said had no effect. */
  ignores(what: string): void {
    this.#ignored ??= []
    this.#ignored.push(what)
  }

  /** What was done with the client's request beside its translation. */
  notes(text: string): void {
    this.#noted ??= []
    this.#noted.push(text)
  }

  get noted(): readonly string[] {
    return this.#noted ?? NONE
  }

  /** Something is not valid at the client's version, forwarded or not. */
  found({ field, rule }: Finding): void {
    this.#findings ??= []
    this.#findings.push({ field, rule })
  }

  /** The head of the engine's answer has come, or the body that was awaited. */
  heard(): void {
    this.#timing.heard()
  }

  /** The response is sent only once its body is whole. That may take long: `wait` lasts as long as its container runs. */
  awaitsBody(): void {
    this.#timing.asks()
  }

  /** From now on it is found out which changes do something, whatever the audit's level; its records stay as they are. */
  watchApplied(): Applied {
    this.#watched ??= { request: new Set(), response: new Set() }
    return this.#watched
  }

  /** Whether it is to be found out which changes make the message another. */
  measures(side: Side): boolean {
    if (this.#watched !== undefined) return true
    return side === 'request' ? this.level !== 'none' : this.level === 'requestResponse'
  }

  /** A change made the message another. */
  applied(change: string, side: Side): void {
    this.#applied[side]?.add(change)
    this.#watched?.[side]?.add(change)
  }

  /** The message is too large to compare: the record leaves the changes out instead of listing too few. */
  unmeasured(side: Side): void {
    delete this.#applied[side]
    if (this.#watched !== undefined) delete this.#watched[side]
  }

  /** What the client said by a form, as a query. */
  saidByForm(search: string): void {
    this.#secrets.said(search)
  }

  /** The client's body, where it was parsed. */
  parsed(body: JsonValue | undefined): void {
    this.#secrets.parsed(body)
  }

  answered(status: number): void {
    this.#status = status
    this.#timing.answered()
  }

  /** A stream or a tunnel is open: a record of its own, because the last one may come after days. */
  opened(status: number): void {
    this.answered(status)
    if (!this.lasts) return
    this.#write('answered')?.catch(() => undefined) // whoever could not store it has said so; the call is under way
  }

  /** Whether the response may last: a stream, a tunnel, or what no table knows. */
  get lasts(): boolean {
    const kind = this.#call.match?.operation.response
    return this.#decision?.lane === 'tunnel' || kind === undefined || LASTING.has(kind)
  }

  /** Bytes to the client. */
  sent(bytes: number): void {
    this.#bytesOut += bytes
  }

  /** Bytes of the client's body, or through its tunnel. */
  received(bytes: number): void {
    this.#bytesIn += bytes
  }

  clientLeft(): void {
    this.endedBy('client')
  }

  endedBy(who: 'client' | 'engine' | 'bridge'): void {
    this.#endedBy ??= who
  }

  /** The file that has the call's session. */
  recordedIn(file: string): void {
    this.#session = file
  }

  failed(code: string, message: string): void {
    this.#error ??= { code, message }
  }

  /** A text for the log, without this call's secrets. */
  clean(text: string): string {
    return this.#secrets.clean(text)
  }

  /** What the client got; undefined until it is known. */
  get status(): number | undefined {
    return this.#status
  }

  /** What a record would say of the call by now, bodies aside; without secrets. */
  get report(): Readonly<AuditRecord> {
    const record = this.#asked('complete', 'metadata')
    this.#addOutcome(record)
    return record
  }

  /** What the metrics count. */
  get summary(): Counted {
    return {
      operation: this.#call.match?.operation.name ?? 'unknown',
      lane: this.#decision?.lane ?? 'none',
      status: this.#status,
      seconds: this.#timing.seconds,
      lost: this.#losses?.map(({ change }) => change) ?? NONE,
      changes: this.#decision?.changes ?? [],
      policy: this.#policy?.decision,
    }
  }

  /** Writes the last record; the second call does nothing. */
  close(): Promise<void> | undefined {
    if (this.#closed) return undefined
    this.#closed = true
    return this.#write(this.#error === undefined ? 'complete' : 'failed')
  }

  #write(stage: Stage): Promise<void> | undefined {
    const { level, omits } = this.#treatment
    if (level === 'none' || omits.has(stage)) return undefined
    // What comes before the call is forwarded may refuse it; of what was done there is a record in any case.
    if (stage === 'received') return this.#auditing.sink.write(this.#asked(stage, level))
    return this.#auditing.sink.write(this.#afterwards(stage, level))
  }

  #afterwards(stage: Stage, level: Exclude<Level, 'none'>): Draft {
    try {
      const record = this.#asked(stage, level)
      this.#addOutcome(record)
      if (stage === 'complete' || stage === 'failed') this.#addBodies(record)
      return record
    } catch (cause) {
      const kind = cause instanceof Error ? cause.name : 'error'
      return this.#bare(stage === 'answered' ? stage : 'failed', level, `cannot build the record (${kind})`)
    }
  }

  /** A record with nothing that has to be read or redacted. */
  #bare(stage: Stage, level: Exclude<Level, 'none'>, message: string): Draft {
    const { listener, peer } = this.peer
    const { method } = this.#call
    const call = { listener, peer, method, path: REDACTED }
    const record: Draft = { schema: SCHEMA, time: timestamp(), auditId: this.id, stage, level, ...call }
    if (this.#status !== undefined) record.status = this.#status
    record.bytesIn = this.#bytesIn
    record.bytesOut = this.#bytesOut
    record.error = { code: 'internal', message }
    return record
  }

  #asked(stage: Stage, level: Exclude<Level, 'none'>): Draft {
    const { method, prefix, match, search } = this.#call
    const path = plainPath(this.#call.path)
    const { listener, peer, userAgent, traceparent } = this.peer
    const { rule } = this.#treatment
    const record: Draft = {
      ...{ schema: SCHEMA, time: timestamp(), auditId: this.id, stage, level, listener, peer, method, path },
      ...this.names,
    }
    if (rule !== undefined) record.rule = rule
    if (userAgent !== undefined) record.userAgent = plainHeader(userAgent)
    if (traceparent !== undefined) record.traceparent = traceparent
    if (prefix.kind === 'version') record.prefix = prefix.text
    if (search.length > 1) record.query = this.#secrets.search(search)
    if (match !== undefined) record.operation = match.operation.name
    if (this.#policy !== undefined) record.policy = { ...this.#policy, ...this.#cleanReason(this.#policy) }
    if (this.#told !== undefined) record.knownClient = this.#told
    if (this.#decision !== undefined) addDecision(record, this.#decision)
    return record
  }

  /** Reasons quote what the client sent. */
  #cleanReason({ reason }: PolicyDecision): Pick<PolicyDecision, 'reason'> {
    return reason === undefined ? {} : { reason: this.#secrets.clean(reason) }
  }

  #addOutcome(record: Draft): void {
    if (this.#forwarded !== undefined) record.forwarded = this.#secrets.target(this.#forwarded)
    if (this.#further !== undefined) record.furtherCalls = this.#further.map((head) => this.#secrets.target(head))
    const { request, response } = this.#applied
    if (request !== undefined && request.size > 0) record.applied = { ...record.applied, request: [...request] }
    if (response !== undefined && response.size > 0) record.applied = { ...record.applied, response: [...response] }
    if (this.#status !== undefined) record.status = this.#status
    record.bytesIn = this.#bytesIn
    record.bytesOut = this.#bytesOut
    record.duration = this.#timing.durations
    if (this.#endedBy !== undefined) record.endedBy = this.#endedBy
    if (this.#session !== undefined) record.session = this.#session
    this.#addNotes(record)
  }

  #addNotes(record: Draft): void {
    const secrets = this.#secrets
    if (this.#losses !== undefined)
      record.losses = this.#losses.map(({ what, change, needs, outcome }) => {
        return { what: secrets.clean(what), change, needs: formatVersion(needs), outcome }
      })
    if (this.#ignored !== undefined) record.ignored = this.#ignored.map((what) => secrets.clean(what))
    if (this.#noted !== undefined) record.notes = this.#noted.map((text) => secrets.clean(text))
    if (this.#findings !== undefined) record.findings = this.#findings.map((finding) => secrets.cleanFinding(finding))
    if (this.#error !== undefined)
      record.error = { code: this.#error.code, message: secrets.clean(this.#error.message) }
  }

  #addBodies(record: Draft): void {
    if (this.#capture === undefined) return
    const { bodyLimit: limit, redaction } = this.#auditing
    const context = { operation: this.#call.match?.operation.name, limit, redaction, secrets: this.#secrets.known }
    Object.assign(record, this.#capture.records(context, this.#endedBy === undefined))
  }
}

function addDecision(record: Draft, { client, target, lane, changes }: Decision): void {
  record.clientVersion = formatVersion(client)
  record.targetVersion = formatVersion(target)
  record.lane = lane
  if (changes.length > 0) record.changes = [...changes]
}
