import type { JsonValue } from '../../api/json/json.ts'
import type { Call } from '../../api/read-call.ts'
import type { Finding } from '../../api/validation/finding.ts'
import { gatherFromHeaders } from './headers.ts'
import { type Redaction, redactJson } from './json.ts'
import type { Cleaner } from './known.ts'
import { gatherFromSearch, redactSearch } from './query.ts'
import { scrub, scrubber } from './text.ts'

/** A path where no name belongs that could be a secret, which few are worth looking at for. */
export const plainPath = (path: string): string => (/[=@]|%40|%3d/i.test(path) ? scrub(path) : path)

/**
 * What a client says of itself in a header, which may hold anything. Node lets bytes of 128 and more through, among them
 * control characters that move a terminal's cursor.
 */
export const plainHeader = (value: string): string => scrub(value).replace(/\p{Cc}/gu, '\uFFFD')

/** The secrets of one call: what its own texts must not show, and what texts that quote it must not either. */
export class CallSecrets {
  readonly #call: Call
  readonly #headers: readonly string[]
  readonly #redaction: Redaction
  #form = ''
  #body: JsonValue | undefined
  #known: Set<string> | undefined
  #cleaner: Cleaner | undefined
  /** The client's own query, as most of what is forwarded has it too. */
  #search: string | undefined

  constructor(call: Call, headers: readonly string[], redaction: Redaction) {
    this.#call = call
    this.#headers = headers
    this.#redaction = redaction
  }

  /** What the client said by a form, as the query that it becomes. */
  said(search: string): void {
    this.#form = search
    this.#forget()
  }

  /** The client's body, where it was parsed. */
  parsed(body: JsonValue | undefined): void {
    this.#body = body
    this.#forget()
  }

  #forget(): void {
    this.#known = undefined
    this.#cleaner = undefined
  }

  /** The values, as far as they are known. Gathered when first asked for: only notes, errors and bodies need them. */
  get known(): Set<string> {
    if (this.#known === undefined) {
      this.#known = new Set()
      const operation = this.#call.match?.operation.name
      gatherFromSearch(this.#call.search, operation, this.#known, this.#redaction)
      gatherFromSearch(this.#form, operation, this.#known, this.#redaction)
      gatherFromHeaders(this.#headers, this.#known)
      if (this.#body !== undefined) redactJson(this.#body, operation, this.#known, this.#redaction)
    }
    return this.#known
  }

  /** A text that may quote the call. */
  clean(text: string): string {
    this.#cleaner ??= scrubber(this.known)
    return this.#cleaner(text)
  }

  /** A finding may name a parameter that is a whole body (dockerode). */
  cleanFinding({ field, rule }: Pick<Finding, 'field' | 'rule'>): Pick<Finding, 'field' | 'rule'> {
    return { field: this.clean(field), rule: this.clean(rule) }
  }

  /** A query, `?` included. */
  search(search: string): string {
    if (search === this.#call.search && this.#search !== undefined) return this.#search
    const clean = redactSearch(search, this.#call.match?.operation.name, new Set(), this.#redaction)
    if (search === this.#call.search) this.#search = clean
    return clean
  }

  /** A request's method and path, as it goes over the wire. */
  target({ method, path }: { method: string; path: string }): { method: string; path: string } {
    const query = path.indexOf('?')
    if (query === -1) return { method, path: plainPath(path) }
    return { method, path: plainPath(path.slice(0, query)) + this.search(path.slice(query)) }
  }
}
