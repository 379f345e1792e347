import type { EngineFacts } from '../engine-facts.ts'
import type { OperationName } from '../operations.ts'
import type { ApiVersion } from '../version.ts'

/** The call, as known when it is validated. */
export interface Asked {
  readonly operation: OperationName
  readonly client: ApiVersion
  readonly engine: EngineFacts
  /** Receives the findings, before a refusal too. */
  readonly report: (findings: readonly Finding[]) => void
}

/** What an engine of the client's version said to a request that it refused. */
export interface Refusal {
  readonly status: number
  readonly text: string
}

/** A part of a request that the specification does not allow at the client's version. */
export interface Finding {
  /** `query all`, `header X-Registry-Auth`, `HostConfig.Binds[0]`; `body` for the whole body. */
  readonly field: string
  /** The requirement, worded to follow the field's name. */
  readonly rule: string
  /**
   * Set if every engine that serves the client's version refuses it and the connected engine would not: the bridge
   * refuses nothing that 20.10 accepts with the same prefix.
   */
  readonly refusal: Refusal | undefined
}

/** Receives problems, with the words to follow the field's name. */
export type Say = (field: string, rule: string, refusal?: Refusal) => void

/** Suffix of findings about features newer than the client's version. */
export const AND_LATER = ' and later'

/** The specification ends with 1.22: enumerations and patterns that later versions extended are checked up to there. */
export const LAST_SPECIFIED = 22

/**
 * Engines from 1.12 on do not read a start body of at most this many bytes, whatever its content and type (20.10
 * accepts `nonsen`).
 */
export const UNREAD_AT_START = 7
