import type { AuditRecord, BodyRecord } from '../../../audit/record/record.ts'

/** What the inspector shows. Nothing in here has a secret in it: it is made from messages that were cleaned. */

/** A call in the list. */
export interface CallSummary {
  /** Counted from 1 since the bridge started. */
  readonly id: number
  /** RFC 3339: when it came. */
  readonly at: string
  readonly method: string
  /** The endpoint, as the table of operations has it: `/containers/{name}/json`; else the path. */
  readonly endpoint: string
  /** What the client asked for, prefix and query included. */
  readonly target: string
  readonly operation?: string
  readonly client?: string
  /** The version that was spoken to the engine. */
  readonly engine?: string
  readonly lane?: string
  /** What the client was given; absent until it is known. */
  readonly status?: number
  /** The bridge's own word for why it refused the call, or ended it. */
  readonly error?: string
  readonly milliseconds: number
  readonly open: boolean
  /** Changes that did something. */
  readonly changes: number
  readonly losses: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** A body that is kept: as the audit records one, its JSON as text. */
export interface KeptBody extends Omit<BodyRecord, 'json'> {
  readonly json?: string
}

export interface Message {
  /** `GET /v1.22/info` or `200`. */
  readonly line: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: KeptBody
  readonly stream?: StreamText
}

/** The end of what has passed, as text. */
export interface StreamText {
  readonly bytes: number
  readonly text: string
  /** Characters at its beginning that are not kept any more. */
  readonly forgotten: number
  /** Why its content is not shown. */
  readonly withheld?: 'bytes' | 'typed' | 'unreadable'
}

/** A chosen call. */
export interface CallDetails {
  readonly summary: CallSummary
  /** As the audit log would have it by now, whatever its level is. */
  readonly record: AuditRecord
  /** Changes that did something; a side is absent where that is not known (bodies above 64 KiB). */
  readonly applied: { readonly request?: readonly string[]; readonly response?: readonly string[] }
  /** What the client sent, and what went to the engine; what it answered, and what the client was given. */
  readonly asked?: Message
  readonly forwarded?: Message
  readonly answered?: Message
  readonly given?: Message
  readonly tunnel?: { readonly client: StreamText; readonly engine: StreamText }
  readonly userAgent?: string
  readonly contentType?: string
  readonly responseType?: string
}
