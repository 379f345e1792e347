import type { ResponseKind } from '../../api/operations.ts'
import { type Call, readCall } from '../../api/read-call.ts'
import type { Auditing } from '../audit.ts'
import type { Counted } from '../metrics/metrics.ts'
import type { CallObserver } from '../observer.ts'
import { BodyCapture, type BodyContext } from '../record/body.ts'
import { type Capture, capture } from '../record/capture.ts'
import type { Peer } from '../record/peer.ts'
import type { AuditRecord, BodyRecord } from '../record/record.ts'
import type { Stage } from '../record/terms.ts'
import { CallFacts, type Decision, type SentRequest } from './facts.ts'
import { bareRecord, recordOf } from './record-of.ts'

/** Responses that are sent while they are produced. */
const LASTING: ReadonlySet<ResponseKind> = new Set(['stream', 'progress', 'records', 'hijack'])

/** Has a call's records written when it comes, opens and closes. */
export class Entry extends CallFacts {
  readonly #auditing: Auditing
  readonly #capture: Capture | undefined
  #closed = false

  constructor(auditing: Auditing, call: Call, peer: Peer) {
    super(auditing, call, peer)
    this.#auditing = auditing
    const { level } = this.treatment
    if (level === 'request' || level === 'requestResponse') this.#capture = capture(level, call.match?.operation)
  }

  /** Sees the bodies that the level asks for. */
  get observer(): CallObserver | undefined {
    return this.#capture?.observer
  }

  /** Before anything is forwarded. A returned promise must be awaited: nothing goes out before its record is safe. */
  forwarding(decision: Decision): Promise<void> | undefined {
    this.decision = decision
    return this.#write('received')
  }

  /** A request goes to the engine: the call itself, or one that the bridge makes for it. */
  sentToEngine(request: SentRequest, byBridge: boolean): void {
    this.timing.waitForEngine()
    if (!byBridge) this.forwarded = request
    else this.addFurther(request)
  }

  /** How many calls the bridge itself has made. */
  get furtherCalls(): number {
    return this.further.length + this.unlistedReads
  }

  setStatus(status: number): void {
    this.status = status
    this.timing.answered()
  }

  /** A stream or a tunnel is open: a record of its own, because the last one may come after days. */
  recordOpen(status: number): void {
    this.setStatus(status)
    if (this.lasts) void this.#write('answered')
  }

  /** Whether the response may last: a stream, a tunnel, or an unknown path. */
  get lasts(): boolean {
    const kind = this.call.match?.operation.response
    return this.decision?.lane === 'tunnel' || kind === undefined || LASTING.has(kind)
  }

  setError(code: string, message: string): void {
    this.error ??= { code, message }
  }

  /** A text for the log, without this call's secrets. */
  clean(text: string): string {
    return this.secrets.clean(text)
  }

  /** The record of the call so far, without bodies and secrets. */
  get report(): AuditRecord {
    return recordOf(this, 'complete', 'metadata')
  }

  /** The facts that the metrics count. */
  get summary(): Counted {
    const { lane, changes } = this.decision ?? { lane: 'none', changes: [] }
    return {
      ...{ operation: this.operation ?? 'unknown', lane, changes, status: this.status, seconds: this.timing.seconds },
      lost: this.losses.map(({ change }) => change),
      policy: this.policy?.decision,
    }
  }

  /** Writes the last record; the second call does nothing. */
  close(): Promise<void> | undefined {
    if (this.#closed) return undefined
    this.#closed = true
    return this.#write(this.error === undefined ? 'complete' : 'failed')
  }

  /** Throws for a call that cannot be recorded, before it was forwarded: it is then refused. */
  #write(stage: Stage): Promise<void> | undefined {
    const { level, omits } = this.treatment
    if (level === 'none' || omits.has(stage)) return undefined
    let record: AuditRecord
    try {
      record = this.#withBodies(recordOf(this, stage, level))
    } catch (cause) {
      if (stage === 'received') throw cause
      const kind = cause instanceof Error ? cause.name : 'error'
      const message = `cannot build the record (${kind})`
      record = bareRecord(this, stage === 'answered' ? stage : 'failed', level, message)
    }
    return this.#auditing.sink.write(record)
  }

  #withBodies(record: AuditRecord): AuditRecord {
    if (this.#capture === undefined || record.stage === 'received' || record.stage === 'answered') return record
    const { bodyLimit: limit, redaction } = this.#auditing
    const context = { limit, redaction, secrets: this.secrets.known }
    const furtherCalls = record.furtherCalls?.map((call, i) => ({ ...call, ...bodyOf(this.further[i], context) }))
    const bodies = this.#capture.records({ ...context, operation: this.operation }, this.endedBy === undefined)
    return { ...record, furtherCalls, ...bodies }
  }
}

/** The body of a call that the bridge has made, as `requestBody`. */
function bodyOf(
  request: SentRequest | undefined,
  context: Omit<BodyContext, 'operation'>,
): { requestBody?: BodyRecord | undefined } {
  if (request?.body === null || request?.body === undefined) return {}
  const capture = new BodyCapture('message')
  capture.push(request.body)
  const operation = readCall(request.method, request.path).match?.operation.name
  return { requestBody: capture.record({ ...context, operation }, { complete: true, plain: false }) }
}
