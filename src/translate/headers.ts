/** Headers in their order and spelling, looked up without regard to case (RFC 9110, 5.1). */
export class Headers {
  readonly #pairs: [name: string, value: string][]

  constructor(pairs: Iterable<readonly [string, string]> = []) {
    this.#pairs = [...pairs].map(([name, value]) => [name, value])
  }

  /** From Node's flat `rawHeaders`: name, value, name, value … */
  static fromRaw(raw: readonly string[]): Headers {
    const headers = new Headers()
    for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '')
    return headers
  }

  get(name: string): string | undefined {
    const wanted = name.toLowerCase()
    return this.#pairs.find(([n]) => n.toLowerCase() === wanted)?.[1]
  }

  /** Every header of that name, as one list (RFC 9110, 5.3): the Go client sends an `Accept` for each type. */
  list(name: string): string {
    const wanted = name.toLowerCase()
    const found = this.#pairs.filter(([n]) => n.toLowerCase() === wanted)
    return found.map(([, value]) => value).join(', ')
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Replaces every header of that name by one, at the first one's place. */
  set(name: string, value: string): void {
    const wanted = name.toLowerCase()
    const first = this.#pairs.findIndex(([n]) => n.toLowerCase() === wanted)
    if (first === -1) {
      this.append(name, value)
      return
    }
    this.#pairs[first] = [name, value]
    for (let i = this.#pairs.length - 1; i > first; i--) {
      if (this.#pairs[i]?.[0].toLowerCase() === wanted) this.#pairs.splice(i, 1)
    }
  }

  append(name: string, value: string): void {
    this.#pairs.push([name, value])
  }

  delete(name: string): void {
    const wanted = name.toLowerCase()
    for (let i = this.#pairs.length - 1; i >= 0; i--) {
      if (this.#pairs[i]?.[0].toLowerCase() === wanted) this.#pairs.splice(i, 1)
    }
  }

  entries(): readonly (readonly [string, string])[] {
    return this.#pairs
  }

  /** Node's flat form, for `writeHead` and undici. */
  raw(): string[] {
    return this.#pairs.flat()
  }
}
