import type { Headers } from './headers.ts'
import type { JsonValue } from './json.ts'
import type { RequestMessage } from './message.ts'

/** What was asked, as steps see it; the query is parsed when somebody looks at it, and most calls have none that anybody does. */
export class AskedCall {
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

/** A client's request before any step; its query, too, is parsed when somebody looks at it. */
export class AskedMessage implements RequestMessage {
  method: string
  path: string
  readonly params: Readonly<Record<string, string>>
  readonly headers: Headers
  body: JsonValue | undefined = undefined
  declare text?: string
  readonly #search: string
  #query: URLSearchParams | undefined

  constructor(
    { method, search }: { readonly method: string; readonly search: string },
    path: string,
    params: Readonly<Record<string, string>>,
    headers: Headers,
  ) {
    this.method = method
    this.path = path
    this.params = params
    this.headers = headers
    this.#search = search
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }
}
