import type { JsonValue } from '../../api/json/json.ts'
import { type Call, readCall } from '../../api/read-call.ts'
import type { ReadonlyHeaders } from '../../http/headers.ts'
import { gatherFromHeaders } from './headers.ts'
import { type Redacting, type Redaction, redactJson } from './json.ts'
import type { Cleaner } from './known.ts'
import { gatherFromSearch, redactSearch } from './query.ts'
import { scrub, scrubber } from './text.ts'

/** Scrubs a path only if it may contain a secret, which is rare. */
export const plainPath = (path: string): string => (/[=@]|%40|%3d/i.test(path) ? scrub(path) : path)

/** Scrubs a header value. Node accepts bytes above 127, including control characters of terminals. */
export const plainHeader = (value: string): string => scrub(value).replace(/\p{Cc}/gu, '\uFFFD')

/** Secrets of a call, removed from its own texts and from texts that quote it. */
export class CallSecrets {
  readonly #call: Call
  readonly #headers: ReadonlyHeaders
  readonly #redaction: Redaction
  #form = ''
  #body: JsonValue | undefined
  #known: Set<string> | undefined
  #cleaner: Cleaner | undefined
  /** The last query; the same one is in both records of a call, and in its request to the engine. */
  #searched = { search: '', shown: '' }

  constructor(call: Call, headers: ReadonlyHeaders, redaction: Redaction) {
    this.#call = call
    this.#headers = headers
    this.#redaction = redaction
  }

  /** Adds form parameters, as a query. */
  said(search: string): void {
    this.#form = search
    this.#forget()
  }

  /** Adds the client's parsed body. */
  parsed(body: JsonValue | undefined): void {
    this.#body = body
    this.#forget()
  }

  #forget(): void {
    this.#known = undefined
    this.#cleaner = undefined
  }

  /** Collected lazily: only notes, errors and bodies need them. */
  get known(): Set<string> {
    if (this.#known === undefined) {
      this.#known = new Set()
      const how = this.#how(this.#known)
      gatherFromSearch(this.#call.search, how)
      gatherFromSearch(this.#form, how)
      gatherFromHeaders(this.#headers, this.#known)
      if (this.#body !== undefined) redactJson(this.#body, how)
    }
    return this.#known
  }

  /** Cleans a text that may quote the call. */
  clean(text: string): string {
    this.#cleaner ??= scrubber(this.known)
    return this.#cleaner(text)
  }

  /** Redacts a query, `?` included. */
  search(search: string): string {
    if (this.#searched.search !== search) {
      this.#searched = { search, shown: redactSearch(search, this.#how(new Set())) }
    }
    return this.#searched.shown
  }

  /** A request's method and redacted path. */
  target({ method, path }: { method: string; path: string }): { method: string; path: string } {
    const query = path.indexOf('?')
    if (query === -1) return { method, path: plainPath(path) }
    const search = path.slice(query)
    // A call that stands for the client's has parameters of its own: the file that a copy asks for.
    const own = search === this.#call.search ? undefined : readCall(method, path).match?.operation.name
    const shown = own === undefined ? this.search(search) : redactSearch(search, this.#how(new Set(), own))
    return { method, path: plainPath(path.slice(0, query)) + shown }
  }

  #how(secrets: Set<string>, operation: string | undefined = this.#call.match?.operation.name): Redacting {
    return { operation, secrets, redaction: this.#redaction }
  }
}
