import type { OperationName } from '../../../src/api/operations.ts'
import type { ApiVersion } from '../../../src/api/version.ts'

/** Parts of the request that older texts name. */
export interface Asked {
  readonly query: URLSearchParams
  readonly image: string
  readonly binds: readonly string[]
  /** The requested limits; Infinity if there is none. */
  readonly limit: { readonly Memory: number; readonly KernelMemory: number }
  /** The name or id in the path. */
  readonly name: string
  /** Whether the call had no body at all. */
  readonly bodiless: boolean
}

/**
 * The error for clients up to a version (its minor number). Without a status or a text, that of the newer engine stays. In a
 * text `$1` is a group of `says`, `{name}` the name in the path. Status 200 means that the older engine had begun its
 * answer: the text is an error record in the stream, a list is the whole answer.
 */
export type Worded = readonly [
  upTo: number,
  status?: number | undefined,
  text?: string | [] | ((found: RegExpExecArray, asked: Asked) => string),
]

/** One error: its text in today's engines, and the errors of engines up to 1.12 (API 1.24), newest first. */
export interface Words {
  readonly on: OperationName | readonly OperationName[]
  readonly says: RegExp
  /** Decides if the text alone is ambiguous. */
  readonly when?: (asked: Asked, found: RegExpExecArray) => boolean
  readonly was: readonly Worded[]
  /** The status of the record that older engines sent before the error. */
  readonly begun?: (asked: Asked, client: ApiVersion) => string
}
