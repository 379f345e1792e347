import type { OperationName } from '../api/operations.ts'
import type { Entry } from '../audit/record/entry.ts'

/** A request that is about to go to the engine, as it will be sent. */
export interface Outgoing {
  readonly method: string
  /** With version prefix and query. */
  readonly path: string
  readonly contentType: string | undefined
  /** `streamed`: there is one, and nobody has read it. */
  readonly body: Buffer | 'streamed' | undefined
}

/** Judges what is about to go to the engine. */
export interface Guard {
  /** Whether the body of an operation has to be at hand to be judged. */
  readsBody(operation: OperationName | undefined): boolean
  /** Throws the refusal. `byBridge`: a further call, which an emulation makes. */
  check(outgoing: Outgoing, byBridge?: boolean): void
  /** Judges a connection whose calls the bridge does not read. Throws the refusal. */
  checkUnreadable(): void
}

/** The policy of one listener. */
export interface AccessPolicy {
  /** What judges the requests of one call, and tells its record. */
  guard(entry: Entry): Guard
}
