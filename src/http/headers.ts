import { words } from '../config/text.ts'
import { COLON, trimmed } from './message/characters.ts'

/** Where the name ends that begins at `at`. Those of HTTP/2 that the library's users pass begin with a colon: `:path`. */
const colonOf = (lines: string, at: number): number => lines.indexOf(':', at + 1)

/** A set of header names, case-insensitive (RFC 9110, 5.1). Most lookups fail on the length alone. */
export class HeaderNames {
  readonly #lower: ReadonlySet<string>
  /** Whether any name has that length, by length. */
  readonly #lengths: readonly boolean[]

  constructor(names: Iterable<string>) {
    this.#lower = new Set([...names].map((name) => name.toLowerCase()))
    const lengths: boolean[] = []
    for (const { length } of this.#lower) lengths[length] = true
    this.#lengths = Array.from(lengths, (named) => named === true)
  }

  has(name: string): boolean {
    return this.hasLength(name.length) && this.#lower.has(name.toLowerCase())
  }

  /** Whether any of the names has that length: a quick check. */
  hasLength(length: number): boolean {
    return this.#lengths[length] === true
  }

  and(names: Iterable<string>): HeaderNames {
    return new HeaderNames([...this.#lower, ...names])
  }

  /** The lines of other headers. */
  othersIn(lines: string): string {
    let kept = ''
    let from = 0
    for (let at = 0; at < lines.length; ) {
      const colon = colonOf(lines, at)
      const next = lines.indexOf('\r\n', at) + 2
      if (this.hasLength(colon - at) && this.has(lines.slice(at, colon))) {
        kept += lines.slice(from, at)
        from = next
      }
      at = next
    }
    return from === 0 ? lines : kept + lines.slice(from)
  }
}

/** Control characters and non-bytes: either could break out of the line (RFC 9110, 5.5). */
const NOT_VALUE = /[^\t\x20-\x7e\x80-\xff]/g

const lineOf = (name: string, value: string): string => `${name}: ${value.replace(NOT_VALUE, '?')}\r\n`

/**
 * Ordered headers with their spelling, looked up case-insensitively (RFC 9110, 5.1). They are kept as the lines of a
 * head: most heads pass without being taken apart.
 */
export class Headers {
  /** In latin1, each with its CRLF. */
  #lines = ''

  constructor(pairs?: Iterable<readonly [string, string]>) {
    if (pairs !== undefined) for (const [name, value] of pairs) this.append(name, value)
  }

  /** `lines`: checked (`readFields`), each with its CRLF. */
  static fromLines(lines: string): Headers {
    const headers = new Headers()
    headers.#lines = lines
    return headers
  }

  /** From flat pairs: name, value, name, value … */
  static fromRaw(raw: readonly string[]): Headers {
    const headers = new Headers()
    for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '')
    return headers
  }

  get lines(): string {
    return this.#lines
  }

  copy(): Headers {
    return Headers.fromLines(this.#lines)
  }

  /** A copy without some headers, after these lines. */
  without(leaveOut: HeaderNames, first = ''): Headers {
    return Headers.fromLines(first + leaveOut.othersIn(this.#lines))
  }

  /** Where the first line of that name begins, or -1. `start`: where a line begins. */
  #find(name: string, start = 0): number {
    const lines = this.#lines
    const { length } = name
    let lower: string | undefined
    for (let at = start; at < lines.length; at = lines.indexOf('\n', at) + 1) {
      if (lines.charCodeAt(at + length) !== COLON) continue
      lower ??= name.toLowerCase()
      if (lines.slice(at, at + length).toLowerCase() === lower) return at
    }
    return -1
  }

  /** The value of the line that begins at `at`, with a name of that length. */
  #valueAt(at: number, nameLength: number): string {
    return trimmed(this.#lines, at + nameLength + 1, this.#lines.indexOf('\r\n', at))
  }

  get(name: string): string | undefined {
    const at = this.#find(name)
    return at === -1 ? undefined : this.#valueAt(at, name.length)
  }

  /** All headers of that name as one list (RFC 9110, 5.3): the Go client sends one `Accept` per type. */
  list(name: string): string {
    let all: string | undefined
    for (let at = this.#find(name); at !== -1; at = this.#find(name, this.#lines.indexOf('\n', at) + 1)) {
      const value = this.#valueAt(at, name.length)
      all = all === undefined ? value : `${all}, ${value}`
    }
    return all ?? ''
  }

  has(name: string): boolean {
    return this.#find(name) !== -1
  }

  /** Replaces all headers of that name with one at the first's position. */
  set(name: string, value: string): void {
    const first = this.#find(name)
    const from = first === -1 ? this.#lines.length : first
    const others = new HeaderNames([name]).othersIn(this.#lines.slice(from))
    this.#lines = this.#lines.slice(0, from) + lineOf(name, value) + others
  }

  append(name: string, value: string): void {
    this.#lines += lineOf(name, value)
  }

  delete(name: string): void {
    if (this.has(name)) this.#lines = new HeaderNames([name]).othersIn(this.#lines)
  }

  entries(): readonly (readonly [string, string])[] {
    const lines = this.#lines
    const all: [string, string][] = []
    for (let at = 0; at < lines.length; ) {
      const colon = colonOf(lines, at)
      const end = lines.indexOf('\r\n', at)
      all.push([lines.slice(at, colon), trimmed(lines, colon + 1, end)])
      at = end + 2
    }
    return all
  }

  /** Flat pairs: name, value, name, value … */
  raw(): string[] {
    return this.entries().flat()
  }
}

/** Headers of a message that others read, too. */
export type ReadonlyHeaders = Omit<Headers, 'set' | 'append' | 'delete'>

/** Hop-by-hop headers (RFC 9110, 7.6.1; 18.4 for `Close`) but those of a switch, which both connections make together. */
export const NOT_SWITCHED = new HeaderNames(
  words('close keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding'),
)
export const HOP_BY_HOP = NOT_SWITCHED.and(['connection', 'upgrade'])

/** These names, and those that `Connection` names beside the usual ones. */
export function withNamed(names: HeaderNames, headers: ReadonlyHeaders): HeaderNames {
  const list = headers.list('Connection')
  if (list === '') return names
  const tokens = list.split(',').map((token) => token.trim())
  const named = tokens.filter((token) => !HOP_BY_HOP.has(token))
  return named.length === 0 ? names : names.and(named)
}
