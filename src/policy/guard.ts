import type { OperationName } from '../api/operations.ts'
import type { Entry } from '../audit/entry/entry.ts'

/** A request as it will be sent to the engine. */
export interface Outgoing {
  readonly method: string
  /** Including version prefix and query. */
  readonly path: string
  readonly contentType: string | undefined
  /** `streamed`: a body that was not read. */
  readonly body: Buffer | 'streamed' | undefined
}

/** Judges the engine requests of a call. */
export interface Guard {
  /** Whether the body of an operation must be buffered for judging. */
  readsBody(operation: OperationName | undefined): boolean
  /** Throws if the request is denied. `byBridge`: a further call of an emulation. */
  check(outgoing: Outgoing, byBridge?: boolean): void
  /** Whether the request is allowed, without a record: for a further call that an emulation can do without. */
  allows(outgoing: Outgoing): boolean
  /** Throws if a connection that the bridge cannot parse is denied. */
  checkUnreadable(): void
}

/** The policy of a listener: judges the requests of one call and records the decisions. */
export type AccessPolicy = (entry: Entry) => Guard
