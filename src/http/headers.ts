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
    return this.#lengths[name.length] === true && this.#lower.has(name.toLowerCase())
  }

  and(names: Iterable<string>): HeaderNames {
    return new HeaderNames([...this.#lower, ...names])
  }
}

/** Control characters and non-bytes: either could break out of the line (RFC 9110, 5.5). */
const NOT_VALUE = /[^\t\x20-\x7e\x80-\xff]/g

/** Ordered headers with their spelling, looked up case-insensitively (RFC 9110, 5.1). */
export class Headers {
  /** As on the wire: name, value, name, value … */
  #flat: string[] = []

  constructor(pairs?: Iterable<readonly [string, string]>) {
    if (pairs !== undefined) for (const [name, value] of pairs) this.append(name, value)
  }

  /** Copies flat pairs except those in `leaveOut`. */
  static fromRaw(raw: readonly string[], leaveOut?: HeaderNames): Headers {
    const headers = new Headers()
    if (leaveOut === undefined) headers.#flat = raw.slice()
    else addOthers(headers.#flat, raw, leaveOut)
    return headers
  }

  /** A copy that starts with `first`, except those in `leaveOut`. */
  without(leaveOut: HeaderNames, first: readonly [string, string]): Headers {
    const kept = new Headers()
    kept.append(first[0], first[1])
    addOthers(kept.#flat, this.#flat, leaveOut)
    return kept
  }

  /** Index of the first header of that name from `start`, or -1. */
  #find(wanted: string, start = 0): number {
    let lower: string | undefined
    for (let i = start; i < this.#flat.length; i += 2) {
      const name = this.#flat[i] ?? ''
      if (name === wanted) return i
      if (name.length !== wanted.length) continue // ASCII: upper and lower case have the same length
      lower ??= wanted.toLowerCase()
      if (name.toLowerCase() === lower) return i
    }
    return -1
  }

  get(name: string): string | undefined {
    const at = this.#find(name)
    return at === -1 ? undefined : this.#flat[at + 1]
  }

  /** All headers of that name as one list (RFC 9110, 5.3): the Go client sends one `Accept` per type. */
  list(name: string): string {
    const found: string[] = []
    for (let at = this.#find(name); at !== -1; at = this.#find(name, at + 2)) found.push(this.#flat[at + 1] ?? '')
    return found.join(', ')
  }

  has(name: string): boolean {
    return this.#find(name) !== -1
  }

  /** Replaces all headers of that name with one at the first's position. */
  set(name: string, value: string): void {
    const first = this.#find(name)
    if (first === -1) {
      this.append(name, value)
      return
    }
    this.#flat[first] = name
    this.#flat[first + 1] = value.replace(NOT_VALUE, '?')
    this.#deleteFrom(first + 2, name)
  }

  append(name: string, value: string): void {
    this.#flat.push(name, value.replace(NOT_VALUE, '?'))
  }

  delete(name: string): void {
    this.#deleteFrom(0, name)
  }

  #deleteFrom(start: number, name: string): void {
    for (let at = this.#find(name, start); at !== -1; at = this.#find(name, at)) this.#flat.splice(at, 2)
  }

  entries(): readonly (readonly [string, string])[] {
    const all: [string, string][] = []
    for (let i = 0; i < this.#flat.length; i += 2) all.push([this.#flat[i] ?? '', this.#flat[i + 1] ?? ''])
    return all
  }

  /** A copy of the flat pairs. */
  raw(): string[] {
    return this.#flat.slice()
  }

  /** The flat pairs without a copy, once nothing changes any more. */
  get flat(): readonly string[] {
    return this.#flat
  }
}

function addOthers(to: string[], from: readonly string[], leftOut: HeaderNames): void {
  for (let i = 0; i + 1 < from.length; i += 2) {
    const name = from[i] ?? ''
    if (!leftOut.has(name)) to.push(name, from[i + 1] ?? '')
  }
}
