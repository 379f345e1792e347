import type { Call } from '../api/read-call.ts'
import type { Names } from './record/names.ts'
import type { Peer } from './record/peer.ts'
import type { AuditRecord } from './record/record.ts'
import type { Level, Stage } from './record/terms.ts'
import type { Redaction } from './redact/json.ts'

export type { AuditRecord } from './record/record.ts'

/** A destination of audit records. */
export interface AuditSink {
  /**
   * Only for the first record of a call, `received`: may throw, or return a promise that the call has to wait for. Both
   * fail the call; a rejection is 503 `audit`.
   */
  write(record: AuditRecord): Promise<void> | undefined
}

/** A call as the audit policy matches it, when it arrives. */
export interface Subject {
  readonly call: Call
  /** Undefined where engines could read others. */
  readonly names: Names | undefined
  readonly peer: Peer
}

/** The parts of a call to record. */
export interface Treatment {
  readonly level: Level
  /** The policy rule that matched. */
  readonly rule?: string
  readonly omits: ReadonlySet<Stage>
  /** Set to record exec and attach sessions, given --audit-sessions. */
  readonly sessions?: SessionTreatment
}

export interface SessionTreatment {
  /** Whether to record input, which includes typed passwords. */
  readonly input: boolean
  /** Maximum bytes of a file. */
  readonly limit: number
}

/** How a bridge audits its calls. */
export interface Auditing {
  readonly sink: AuditSink
  readonly treat: (subject: Subject) => Treatment
  /** Maximum bytes recorded of a body. */
  readonly bodyLimit: number
  readonly redaction: Redaction
  /** Shutdown is cutting open calls: from now on `endedBy` is the bridge. */
  cuts?: boolean
}
