import { foldName } from '../api/json/names.ts'
import { type Call, readCall } from '../api/read-call.ts'
import { withPrefix } from '../api/version.ts'
import { isForm, isMultipartForm } from '../engine/form.ts'
import type { Outgoing } from './guard.ts'

/** A request parsed the way the engine parses it. */
export interface Read extends Pick<Call, 'method' | 'path' | 'match'> {
  /** Decoded, with version prefix. */
  readonly wholePath: string
  /** Names are folded: Podman ignores their case (gorilla/schema). */
  readonly query: URLSearchParams
  /** Why parsers could disagree on the query: Go up to 1.16 splits at `;`; a form body overrides or extends it. */
  readonly unclearQuery: string | undefined
  readonly body: Outgoing['body']
}

/** Parses a request from what will be sent. Undefined for a path that engines do not route. */
export function readOutgoing({ method, path: target, contentType, body }: Outgoing): Read | undefined {
  const call = readCall(method, target)
  // Engines redirect paths that are not clean before routing (gorilla/mux), and so does the bridge.
  if (call.localResponse !== undefined || !target.startsWith('/')) return undefined
  const { path, prefix, match } = call
  const at = target.indexOf('?')
  const search = at === -1 ? '' : target.slice(at)
  return {
    method,
    path,
    match,
    wholePath: withPrefix(prefix.text, path),
    query: folded(search),
    unclearQuery: unclear(search, method, body === undefined ? undefined : contentType),
    body,
  }
}

function unclear(search: string, method: string, contentType: string | undefined): string | undefined {
  if (search.includes(';')) return 'a query with a semicolon'
  if (method !== 'GET' && isForm(contentType)) return 'a form in the body, which overrides the query'
  if (isMultipartForm(contentType))
    return 'a multipart form in the body, which may add to the query: send parameters in the query'
  return undefined
}

/** Keeps the leading `?`; a second one belongs to a name. */
const folded = (search: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(search)].map(([name, value]) => [foldName(name), value]))
