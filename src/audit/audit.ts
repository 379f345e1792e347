import type { OperationName } from '../api/operations.ts'
import type { Names } from './record/names.ts'
import type { Peer } from './record/peer.ts'
import type { AuditRecord, Level, Stage } from './record/record.ts'
import { type Redaction, usual } from './redact/json.ts'

export type { AuditRecord } from './record/record.ts'

/** Where audit records go. */
export interface AuditSink {
  /**
   * Undefined when nothing is to be waited for. Otherwise the call waits until the record is safe; a rejection (a
   * Refusal, 503 `audit`) refuses the call whose first record it is.
   */
  write(record: AuditRecord): Promise<void> | undefined
}

/** A call as the audit policy sees it: what is known when it comes in. */
export interface Subject {
  readonly operation: OperationName | undefined
  readonly method: string
  readonly path: string
  readonly names: Names
  readonly peer: Peer
}

/** What is recorded of a call. */
export interface Treatment {
  readonly level: Level
  /** The policy's rule, for the record. */
  readonly rule?: string
  readonly omits: ReadonlySet<Stage>
  /** Whether exec and attach are recorded, where --audit-sessions names a folder. */
  readonly sessions?: SessionTreatment
}

export interface SessionTreatment {
  /** Whether what the client types is recorded too: passwords are typed. */
  readonly input: boolean
  /** How large a file may become, in bytes. */
  readonly limit: number
}

/** How calls are audited; made once. */
export interface Auditing {
  readonly sink: AuditSink
  readonly treat: (subject: Subject) => Treatment
  /** How much of a body is recorded, in bytes. */
  readonly bodyLimit: number
  readonly redaction: Redaction
}

const nothing: ReadonlySet<Stage> = new Set()

/** Every call at one level. */
export function auditAll(sink: AuditSink, level: Level, bodyLimit: number): Auditing {
  const treatment: Treatment = Object.freeze({ level, omits: nothing })
  return { sink, treat: () => treatment, bodyLimit, redaction: usual }
}
