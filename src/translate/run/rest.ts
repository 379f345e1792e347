import type { OperationName } from '../../api/operations.ts'
import { type ApiVersion, apiVersion } from '../../api/version.ts'

/**
 * How bytes after a request's JSON value are treated: `passed` if engines of the client's version and the engine agree on
 * them, `dropped` if the former read only the first value, otherwise refused in the words of the former.
 */
export type Rest = 'passed' | 'dropped' | { readonly refused: string }

/** Engines from `from` on refuse bytes after the value, in these words. */
interface Refusal {
  readonly from: ApiVersion
  readonly words: string
}

/** Engine 23.0: httputils.ReadJSON and runconfig.loadJSON, which every operation with a JSON body uses but auth. */
const READER: Refusal = { from: apiVersion(42), words: 'unexpected content after JSON' }

const EXCEPTIONS: Partial<Record<OperationName, Refusal>> = {
  // Engine 29.2: api/pkg/authconfig, decode @docker-v29.1.5, @docker-v29.2.0. Up to 29.1 it decodes the first value alone.
  SystemAuth: { from: apiVersion(53), words: 'invalid X-Registry-Auth header: multiple JSON documents not allowed' },
}

/** From 1.24 on a start with a body is refused, whatever it holds. */
const START_READS_UNTIL = apiVersion(23)

export function restOf(operation: OperationName, client: ApiVersion, highest: ApiVersion): Rest {
  if (operation === 'ContainerStart' && client > START_READS_UNTIL) return 'passed'
  const { from, words } = EXCEPTIONS[operation] ?? READER
  if (client < from === highest < from) return 'passed'
  return client < from ? 'dropped' : { refused: words }
}
