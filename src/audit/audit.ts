import { randomUUID } from 'node:crypto'
import type { Counted } from '../admin/metrics.ts'
import type { Finding } from '../api/validation/finding.ts'
import { type ApiVersion, formatVersion } from '../api/version.ts'
import type { Call } from '../read-call.ts'
import type { Loss } from '../translate/message.ts'

/** One event of a call, as it is written. */
export interface AuditRecord {
  readonly schema: number
  readonly auditId: string
  readonly stage: 'received' | 'complete' | 'failed'
  readonly [member: string]: unknown
}

/** Where audit records go. */
export interface AuditSink {
  /**
   * Undefined when nothing is to be waited for. Otherwise the call waits until the record is safe; a rejection (a
   * Refusal, 503 `audit`) refuses the call whose first record it is.
   */
  write(record: AuditRecord): Promise<void> | undefined
}

/** Version of the record's schema (docs/audit.md). */
const SCHEMA = 1

export interface Peer {
  readonly listener: string
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

/** What was decided before anything is forwarded. */
export interface Decision {
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly lane: string
  readonly changes: readonly string[]
}

/** One call's record, opened before anything is forwarded. Lanes tell it what happens; it writes when it closes. */
export class Entry {
  readonly id = randomUUID()
  readonly losses: Loss[] = []
  readonly ignored: string[] = []
  /** What is not valid at the client's version, forwarded or not. */
  readonly findings: Pick<Finding, 'field' | 'rule'>[] = []
  readonly #sink: AuditSink
  readonly #started = performance.now()
  readonly #facts: Record<string, unknown>
  #status: number | undefined
  #bytesIn = 0
  #bytesOut = 0
  #endedBy: 'client' | 'engine' | 'bridge' | undefined
  #error: { code: string; message: string } | undefined
  #closed = false

  constructor(sink: AuditSink, call: Call, peer: Peer) {
    this.#sink = sink
    this.#facts = {
      listener: peer.listener,
      peer: peer.address,
      userAgent: peer.userAgent,
      method: call.method,
      // The query may hold secrets (build arguments, a whole create body from dockerode): the path alone is recorded.
      path: call.path,
      prefix: call.prefix.kind === 'version' ? call.prefix.text : undefined,
      operation: call.match?.operation.name,
      ...call.match?.params,
    }
  }

  /** Before anything is forwarded. A promise is to be waited for: nothing goes out before its record is safe. */
  forwarding(decision: Decision): Promise<void> | undefined {
    this.#facts['clientVersion'] = formatVersion(decision.client)
    this.#facts['targetVersion'] = formatVersion(decision.target)
    this.#facts['lane'] = decision.lane
    if (decision.changes.length > 0) this.#facts['changes'] = decision.changes
    return this.#sink.write(this.#record('received', {}))
  }

  answered(status: number): void {
    this.#status = status
  }

  /** Bytes to the client. */
  sent(bytes: number): void {
    this.#bytesOut += bytes
  }

  /** Bytes of the client's body, or through its tunnel. */
  received(bytes: number): void {
    this.#bytesIn += bytes
  }

  tunnelOpened(): void {
    this.#facts['tunnel'] = true
  }

  clientLeft(): void {
    this.endedBy('client')
  }

  endedBy(who: 'client' | 'engine' | 'bridge'): void {
    this.#endedBy ??= who
  }

  failed(code: string, message: string): void {
    this.#error ??= { code, message }
  }

  /** What the client got; undefined until it is known. */
  get status(): number | undefined {
    return this.#status
  }

  /** What the metrics count. */
  get summary(): Counted {
    return {
      operation: String(this.#facts['operation'] ?? 'unknown'),
      lane: String(this.#facts['lane'] ?? 'none'),
      status: this.#status,
      seconds: (performance.now() - this.#started) / 1000,
      lost: this.losses.map(({ change }) => change),
    }
  }

  /** Writes the record; the second call does nothing. */
  close(): Promise<void> | undefined {
    if (this.#closed) return undefined
    this.#closed = true
    return this.#sink.write(this.#record(this.#error === undefined ? 'complete' : 'failed', this.#outcome()))
  }

  #record(stage: AuditRecord['stage'], more: object): AuditRecord {
    return { schema: SCHEMA, auditId: this.id, ...this.#facts, stage, ...more }
  }

  #outcome(): object {
    return {
      status: this.#status,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      durationMs: Math.round((performance.now() - this.#started) * 1000) / 1000,
      ...(this.#endedBy === undefined ? {} : { endedBy: this.#endedBy }),
      ...(this.losses.length === 0 ? {} : { losses: this.losses.map(({ what, change }) => ({ what, change })) }),
      ...(this.findings.length === 0 ? {} : { findings: this.findings }),
      ...(this.ignored.length === 0 ? {} : { ignored: this.ignored }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    }
  }
}
