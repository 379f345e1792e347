import { foldName } from '../api/json/names.ts'
import { findOperation, type Match } from '../api/operations.ts'
import { splitPrefix } from '../api/version.ts'
import { isForm, isMultipartForm } from '../engine/form.ts'
import type { Outgoing } from './guard.ts'

/** A request to the engine, read as the engine reads it. */
export interface Read {
  readonly method: string
  /** Without prefix and query, decoded. */
  readonly path: string
  /** With the prefix, decoded. */
  readonly wholePath: string
  readonly match: Match | undefined
  /** Names folded: Podman looks at no case (gorilla/schema). */
  readonly query: URLSearchParams
  /** Where two readers could see another query: `;` parted values up to Go 1.16; a form in the body goes before it or adds to it. */
  readonly unclearQuery: string | undefined
  readonly body: Outgoing['body']
}

/** What is about to be sent, from its own bytes and nothing else. Undefined for a path that an engine would not route. */
export function readOutgoing({ method, path: target, contentType, body }: Outgoing): Read | undefined {
  const at = target.indexOf('?')
  const search = at === -1 ? '' : target.slice(at)
  const wholePath = decoded(at === -1 ? target : target.slice(0, at))
  // Engines redirect such paths before they route (gorilla/mux); the bridge does the same, so none comes this far.
  if (wholePath === undefined || !wholePath.startsWith('/') || /\/\/|\/\.{1,2}(?:\/|$)/.test(wholePath))
    return undefined
  const path = splitPrefix(wholePath).rest
  return {
    method,
    path,
    wholePath,
    match: findOperation(method, path),
    query: folded(search),
    unclearQuery: unclear(search, method, body === undefined ? undefined : contentType),
    body,
  }
}

function unclear(search: string, method: string, contentType: string | undefined): string | undefined {
  if (search.includes(';')) return 'a query with a semicolon'
  if (method !== 'GET' && isForm(contentType)) return 'a form in the body, which goes before the query'
  if (isMultipartForm(contentType))
    return 'a multipart form in the body, which may add to the query: send parameters in the query'
  return undefined
}

/** With the `?` that begins it: of two, the second belongs to a name. */
const folded = (search: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(search)].map(([name, value]) => [foldName(name), value]))

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}
