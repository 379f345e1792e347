import type { JsonValue } from '../api/json/json.ts'
import type { Headers } from '../http/headers.ts'
import type { RequestMessage } from './message.ts'

/** The client's call as steps see it; the query is parsed on first access, since most calls never use it. */
export class ClientCall {
  readonly params: Readonly<Record<string, string>>
  readonly #search: string
  #query: URLSearchParams | undefined

  constructor(params: Readonly<Record<string, string>>, search: string) {
    this.params = params
    this.#search = search
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }
}

/** A client's request before any step. */
export class ClientMessage extends ClientCall implements RequestMessage {
  method: string
  path: string
  readonly headers: Headers
  body: JsonValue | undefined = undefined
  declare text?: string

  constructor(
    { method, search }: { readonly method: string; readonly search: string },
    path: string,
    params: Readonly<Record<string, string>>,
    headers: Headers,
  ) {
    super(params, search)
    this.method = method
    this.path = path
    this.headers = headers
  }
}

/**
 * The query string with the parameters that steps changed: unchanged ones keep their order and bytes, which need not be
 * UTF-8 (file names can be any bytes).
 */
export function searchWith(search: string, query: URLSearchParams): string {
  const text = search.startsWith('?') ? search.slice(1) : search
  const wanted = String(query)
  if (String(new URLSearchParams(`?${text}`)) === wanted) return search
  // Each part between two `&` is one parameter, except empty ones (URL Standard, 5.1).
  const parts = text.split('&').filter((part) => part !== '')
  const came = Map.groupBy(parts, (part) => String(new URLSearchParams(`?${part}`)))
  const left = wanted.split('&').map((one) => came.get(one)?.shift() ?? one)
  return wanted === '' ? '' : `?${left.join('&')}`
}
