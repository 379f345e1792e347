/**
 * Reads JSON as the engines do (encoding/json's Decoder): the first value counts, what follows it is not looked at. The
 * texts of errors are those of its scanner, because clients of old versions got them verbatim.
 */
export type Decoded = { readonly error: string } | { readonly end: number }

const SPACE = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** As Go's limit of 10000, but within what this stack holds. */
const MAX_DEPTH = 2000

class Broken extends Error {}

/** Where the first value ends, or what Go says is wrong with it. Its position is counted in characters. */
export function decodeAsGo(source: string): Decoded {
  const reader = new Reader(source)
  try {
    return { end: reader.value(true) }
  } catch (cause) {
    if (cause instanceof Broken) return { error: cause.message }
    throw cause
  }
}

class Reader {
  readonly #source: string
  #depth = 0
  at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Each method returns where it ended. */
  value(first = false): number {
    if (++this.#depth > MAX_DEPTH) throw new Broken('exceeded max depth')
    const end = this.#read(first)
    this.#depth--
    return end
  }

  #read(first: boolean): number {
    this.#space()
    if (first && this.at === this.#source.length) throw new Broken('EOF')
    const next = this.#peek()
    if (next === '{') return this.#members()
    if (next === '[') return this.#elements()
    if (next === '"') return this.#string()
    if (next === '-' || (next >= '0' && next <= '9')) return this.#number()
    const word = ['true', 'false', 'null'].find((one) => one[0] === next)
    return word === undefined ? this.#fail('looking for beginning of value') : this.#word(word)
  }

  #members(): number {
    this.at++
    if (this.#next() === '}') return ++this.at
    for (;;) {
      if (this.#next() !== '"') this.#fail('looking for beginning of object key string')
      this.#string()
      if (this.#next() !== ':') this.#fail('after object key')
      this.at++
      this.value()
      const after = this.#next()
      if (after !== '}' && after !== ',') this.#fail('after object key:value pair')
      this.at++
      if (after === '}') return this.at
    }
  }

  #elements(): number {
    this.at++
    if (this.#next() === ']') return ++this.at
    for (;;) {
      this.value()
      const after = this.#next()
      if (after !== ']' && after !== ',') this.#fail('after array element')
      this.at++
      if (after === ']') return this.at
    }
  }

  #string(): number {
    this.at++
    for (;;) {
      const next = this.#peek()
      if (next === '"') return ++this.at
      if (next < ' ') this.#fail('in string literal')
      if (next !== '\\') this.at++
      else if (this.#matches(ESCAPE) === '') {
        this.at++
        this.#fail(this.#peek() === 'u' ? 'in \\u hexadecimal character escape' : 'in string escape code')
      }
    }
  }

  #number(): number {
    if (this.#matches(NUMBER) !== '') return this.at
    this.at++
    return this.#fail('in numeric literal')
  }

  #word(word: string): number {
    for (const letter of word) {
      if (this.#peek() !== letter) this.#fail(`in literal ${word} (expecting ${quoted(letter)})`)
      this.at++
    }
    return this.at
  }

  #space(): void {
    this.#matches(SPACE)
  }

  #next(): string {
    this.#space()
    return this.#peek()
  }

  #peek(): string {
    const next = this.#source[this.at]
    if (next === undefined) throw new Broken('unexpected EOF')
    return next
  }

  #matches(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#source)?.[0] ?? ''
    this.at += found.length
    return found
  }

  #fail(where: string): never {
    throw new Broken(`invalid character ${quoted(this.#peek())} ${where}`)
  }
}

/** scanner.go:quoteChar */
const quoted = (character: string): string =>
  character === "'" ? "'\\''" : character === '"' ? `'"'` : `'${JSON.stringify(character).slice(1, -1)}'`
