import type { OperationName } from '../../../src/api/operations.ts'
import type { ApiVersion } from '../../../src/api/version.ts'

/** What the client had asked for, where the older text names it. */
export interface Asked {
  readonly query: URLSearchParams
  readonly image: string
  readonly binds: readonly string[]
  /** What was asked for; no limit is without end. */
  readonly limit: { readonly Memory: number; readonly KernelMemory: number }
  /** What the path names. */
  readonly name: string
  /** Whether the call had no body at all. */
  readonly bodiless: boolean
}

/**
 * To clients up to this version (its minor number): the status, and the text where it was another. In a text `$1` is what
 * `says` found, `{name}` what the path names. Without a status everything stays as the newer engine has it. With 200 the
 * older engine had begun its answer: the text is the error in a stream, a list the whole answer.
 */
export type Worded = readonly [
  upTo: number,
  status?: number | undefined,
  text?: string | [] | ((found: RegExpExecArray, asked: Asked) => string),
]

/** One error as engines say it today, and as engines up to 1.12 (API 1.24) did, the newest first. */
export interface Words {
  readonly on: OperationName | readonly OperationName[]
  readonly says: RegExp
  /** Where the text alone does not tell which error it is. */
  readonly when?: (asked: Asked, found: RegExpExecArray) => boolean
  readonly was: readonly Worded[]
  /** The status of the record that had gone out before the error. */
  readonly begun?: (asked: Asked, client: ApiVersion) => string
}
