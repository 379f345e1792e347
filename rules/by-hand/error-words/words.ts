import { isOperationName, type OperationName } from '../../../src/api/operations.ts'
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

type Text = string | [] | ((found: RegExpExecArray, asked: Asked) => string)

/** The error for clients up to a version (its minor number). Without a status or a text, that of the newer engine stays. */
export type Worded = readonly [upTo: number, status: number | undefined, text: Text | undefined]

interface Facts {
  /** Decides if the text alone is ambiguous. */
  readonly when?: (asked: Asked, found: RegExpExecArray) => boolean
  /** The status of the record that older engines sent before the error. */
  readonly begun?: (asked: Asked, client: ApiVersion) => string
}

/** One error: its text in today's engines, and the errors of engines up to 1.12 (API 1.24), newest first. */
export interface Words extends Facts {
  readonly on: readonly OperationName[]
  readonly says: RegExp
  readonly was: readonly Worded[]
}

/**
 * `1.24 500 Invalid signal: $1`: for clients up to that version. `$1` is a group of what today's engine says, `{name}` the name
 * in the path. Status 200 means that the older engine had begun its answer: the text is an error record in the stream, a list
 * the whole answer.
 */
type Older = string | readonly [upTo: string, text: Text]

/** Today's text, then the older errors. */
export type Row = readonly [says: RegExp, ...(Older | Facts)[]]

const isOlder = (part: Older | Facts): part is Older => typeof part === 'string' || Array.isArray(part)

function worded(older: Older): Worded {
  const [said, text] = typeof older === 'string' ? [older] : older
  const [, upTo, status, rest] = /^1\.(\d+)(?: (\d{3}))?(?: (.*))?$/s.exec(said) ?? []
  return [Number(upTo), status === undefined ? undefined : Number(status), text ?? rest]
}

/** The errors of operations, by their names with spaces between. */
export const olderErrors = (errors: Readonly<Record<string, readonly Row[]>>): readonly Words[] =>
  Object.entries(errors).flatMap(([names, rows]) => {
    const on = names.split(' ').filter(isOperationName)
    if (on.length < names.split(' ').length) throw new Error(`no operations are called ${names}`)
    return rows.map(([says, ...parts]) => ({
      ...Object.assign({}, ...parts.filter((part) => !isOlder(part))),
      ...{ on, says, was: parts.filter(isOlder).map(worded) },
    }))
  })
