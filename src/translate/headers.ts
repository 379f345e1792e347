/** Headers in their order and spelling, looked up without regard to case (RFC 9110, 5.1). */
export class Headers {
  /** Flat, as on the wire: name, value, name, value … */
  readonly #flat: string[] = []
  /** The names in lower case, one for each pair. */
  readonly #names: string[] = []

  constructor(pairs?: Iterable<readonly [string, string]>) {
    if (pairs !== undefined) for (const [name, value] of pairs) this.append(name, value)
  }

  /** From Node's flat `rawHeaders`, without those whose name (in lower case) is in `leaveOut`. */
  static fromRaw(raw: readonly string[], leaveOut?: ReadonlySet<string>): Headers {
    const headers = new Headers()
    for (let i = 0; i + 1 < raw.length; i += 2) headers.#add(raw[i] ?? '', raw[i + 1] ?? '', leaveOut)
    return headers
  }

  /** A copy that begins with `first`, without those whose name (in lower case) is in `leaveOut`. */
  without(leaveOut: ReadonlySet<string>, first: readonly [string, string]): Headers {
    const kept = new Headers()
    kept.append(...first)
    for (let i = 0; i < this.#names.length; i++) {
      const lower = this.#names[i] ?? ''
      if (leaveOut.has(lower)) continue
      kept.#names.push(lower)
      kept.#flat.push(this.#flat[2 * i] ?? '', this.#flat[2 * i + 1] ?? '')
    }
    return kept
  }

  #add(name: string, value: string, leaveOut: ReadonlySet<string> | undefined): void {
    const lower = name.toLowerCase()
    if (leaveOut?.has(lower)) return
    this.#flat.push(name, value)
    this.#names.push(lower)
  }

  get(name: string): string | undefined {
    const at = this.#names.indexOf(name.toLowerCase())
    return at === -1 ? undefined : this.#flat[2 * at + 1]
  }

  /** Every header of that name, as one list (RFC 9110, 5.3): the Go client sends an `Accept` for each type. */
  list(name: string): string {
    const wanted = name.toLowerCase()
    const found = this.#names.flatMap((lower, at) => (lower === wanted ? [this.#flat[2 * at + 1] ?? ''] : []))
    return found.join(', ')
  }

  has(name: string): boolean {
    return this.#names.includes(name.toLowerCase())
  }

  /** Replaces every header of that name by one, at the first one's place. */
  set(name: string, value: string): void {
    const wanted = name.toLowerCase()
    const first = this.#names.indexOf(wanted)
    if (first === -1) {
      this.append(name, value)
      return
    }
    this.#flat.splice(2 * first, 2, name, value)
    this.#deleteFrom(first + 1, wanted)
  }

  append(name: string, value: string): void {
    this.#add(name, value, undefined)
  }

  delete(name: string): void {
    this.#deleteFrom(0, name.toLowerCase())
  }

  #deleteFrom(start: number, wanted: string): void {
    for (let at = this.#names.indexOf(wanted, start); at !== -1; at = this.#names.indexOf(wanted, at)) {
      this.#names.splice(at, 1)
      this.#flat.splice(2 * at, 2)
    }
  }

  entries(): readonly (readonly [string, string])[] {
    return this.#names.map((_lower, at) => [this.#flat[2 * at] ?? '', this.#flat[2 * at + 1] ?? ''])
  }

  /** Node's flat form, for `writeHead` and undici; a copy. */
  raw(): string[] {
    return this.#flat.slice()
  }
}
