import type { AuditRecord, BodyRecord } from '../../../audit/record/record.ts'

/** The inspector's data, as its page gets it. Contains no secrets: it is built from cleaned messages. */

/** A call in the list. */
export interface CallSummary {
  /** Counted from 1 since the bridge started. */
  readonly id: number
  /** RFC 3339: time of arrival. */
  readonly at: string
  readonly method: string
  /** The endpoint from the table of operations: `/containers/{name}/json`; else the path. */
  readonly endpoint: string
  /** The client's request target, with prefix and query. */
  readonly target: string
  readonly operation?: string
  readonly client?: string
  /** The version used with the engine. */
  readonly engine?: string
  readonly lane?: string
  /** Status of the client's response; absent until it is known. */
  readonly status?: number
  /** The bridge's error code, if the bridge refused or ended the call. */
  readonly error?: string
  readonly milliseconds: number
  readonly open: boolean
  /** Number of changes that had an effect. */
  readonly changes: number
  readonly losses: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** A stored body: as in the audit, with its JSON as text. */
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

/** The value of a message's header. `name`: lower case. */
export const headerOf = (message: Message | undefined, name: string): string | undefined =>
  message?.headers.find(([other]) => other.toLowerCase() === name)?.[1]

/** The end of the stream so far, as text. */
export interface StreamText {
  readonly bytes: number
  readonly text: string
  /** Number of characters dropped from its start. */
  readonly forgotten: number
  /** Reason for hiding the content. */
  readonly withheld?: 'bytes' | 'typed' | 'unreadable'
}

/** The selected call. */
export interface CallDetails {
  readonly summary: CallSummary
  /** The audit record so far, independent of the audit level. */
  readonly record: AuditRecord
  /** Changes that had an effect; a side is absent if unknown (bodies above 64 KiB). */
  readonly applied: { readonly request?: readonly string[]; readonly response?: readonly string[] }
  /** The client's request, the engine's request, the engine's response, and the client's response. */
  readonly clientRequest?: Message
  readonly engineRequest?: Message
  readonly engineResponse?: Message
  readonly clientResponse?: Message
  readonly tunnel?: { readonly client: StreamText; readonly engine: StreamText }
}
