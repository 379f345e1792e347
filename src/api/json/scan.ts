import { Broken, failure } from './words.ts'

/**
 * Go stops at 10,000 (encoding/json, maxNestingDepth), which would overflow the stack here; no real client needs a
 * tenth of it.
 */
export const MAX_DEPTH = 1000

/** Members and elements of a body in total: a container that publishes all 65,535 ports of tcp has 330,000. */
export const MAX_VALUES = 400_000
/** Of one object or list: names are folded and looked up, which costs more than the small objects of ports. */
export const MAX_MEMBERS = 100_000

export type Scanned =
  | {
      readonly kind: 'value'
      /** Index just after the first value. */
      readonly end: number
      /** Duplicates included. */
      readonly members: number
      /** A member's name contains an escape (see reader.ts, hasEscapedName). */
      readonly escapedName: boolean
      /** A double may be unable to hold one of the numbers. */
      readonly longNumber: boolean
    }
  /** In encoding/json's wording. */
  | { readonly kind: 'broken'; readonly words: string }
  | { readonly kind: 'beyond'; readonly words: string }

/**
 * Scans the first value of a text as encoding/json's Decoder does, without building it: in one pass, iteratively, and
 * within the limits. Source: encoding/json/scanner.go.
 */
export function scan(text: string): Scanned {
  const scanner = new Scanner(text)
  try {
    return scanner.value()
  } catch (cause) {
    if (cause instanceof Broken) return { kind: 'broken', words: cause.message }
    if (cause instanceof Beyond) return { kind: 'beyond', words: cause.message }
    throw cause
  }
}

class Beyond extends Error {}

const OBJECT = 0x7b
const LIST = 0x5b
const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30
/** A number with at most this many characters and no exponent fits a double. */
const DOUBLE = 15
const NINE = 0x39
const WORDS: ReadonlyMap<number, string> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]))

class Scanner {
  readonly #text: string
  /** Open objects and lists. */
  readonly #open: number[] = []
  /** What has been read of each of them. */
  readonly #held: number[] = []
  #at = 0
  #members = 0
  #values = 0
  #escapedName = false
  #longNumber = false

  constructor(text: string) {
    this.#text = text
  }

  value(): Scanned {
    if (Number.isNaN(this.#next())) throw new Broken('EOF')
    do this.#begin()
    while (this.#another())
    const [escapedName, longNumber] = [this.#escapedName, this.#longNumber]
    return { kind: 'value', end: this.#at, members: this.#members, escapedName, longNumber }
  }

  /** Reads a scalar, or opens objects and lists up to the first scalar or empty one. */
  #begin(): void {
    for (;;) {
      if (++this.#values > MAX_VALUES) throw new Beyond(`the JSON has more than ${MAX_VALUES} members and elements`)
      const first = this.#next()
      if (first !== OBJECT && first !== LIST) {
        this.#scalar(first)
        return
      }
      this.#open.push(first)
      this.#held.push(1)
      if (this.#open.length > MAX_DEPTH) throw new Beyond(`the JSON is nested deeper than ${MAX_DEPTH} levels`)
      this.#at++
      const inside = this.#next()
      if (inside === first + 2) return // empty; `another` takes the closing bracket
      if (first === OBJECT) this.#name(inside)
    }
  }

  /** Closes the objects and lists that end here; true if another value follows. */
  #another(): boolean {
    for (let around = this.#open.at(-1); around !== undefined; around = this.#open.at(-1)) {
      const next = this.#next()
      this.#at++
      if (next === 0x2c) {
        const held = (this.#held.at(-1) ?? 0) + 1
        if (held > MAX_MEMBERS) throw new Beyond(`an object or list of the JSON has more than ${MAX_MEMBERS} members`)
        this.#held[this.#held.length - 1] = held
        if (around === OBJECT) this.#name(this.#next())
        return true
      }
      if (next !== around + 2)
        failure(this.#text, this.#at - 1, around === OBJECT ? 'after object key:value pair' : 'after array element')
      this.#open.pop()
      this.#held.pop()
    }
    return false
  }

  /** Reads a member's name and its colon. */
  #name(first: number): void {
    if (first !== QUOTE) failure(this.#text, this.#at, 'looking for beginning of object key string')
    if (this.#string()) this.#escapedName = true
    if (this.#next() !== 0x3a) failure(this.#text, this.#at, 'after object key')
    this.#at++
    this.#members++
  }

  #scalar(first: number): void {
    if (first === QUOTE) this.#string()
    else if (first === MINUS || isDigit(first)) this.#number(first)
    else this.#word(WORDS.get(first))
  }

  /** Returns true if the string contains an escape. */
  #string(): boolean {
    const text = this.#text
    let escaped = false
    let at = this.#at + 1
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      if (!(code >= 0x20)) failure(text, at, 'in string literal')
      if (code !== BACKSLASH) continue
      escaped = true
      at = this.#escape(at + 1)
    }
    this.#at = at + 1
    return escaped
  }

  /** Index of the last character of the escape whose letter is at `at`. */
  #escape(at: number): number {
    const letter = this.#text[at] ?? ''
    if (letter !== 'u') {
      if (letter === '' || !'"\\/bfnrt'.includes(letter)) failure(this.#text, at, 'in string escape code')
      return at
    }
    for (let digit = at + 1; digit <= at + 4; digit++)
      if (!/[0-9a-fA-F]/.test(this.#text[digit] ?? ''))
        failure(this.#text, digit, 'in \\u hexadecimal character escape')
    return at + 4
  }

  #number(first: number): void {
    const from = this.#at
    if (first === MINUS) this.#at++
    if (this.#text.charCodeAt(this.#at) === ZERO) this.#at++
    else this.#digits('in numeric literal')
    if (this.#text[this.#at] === '.') {
      this.#at++
      this.#digits('after decimal point in numeric literal')
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++
      this.#longNumber = true
      if (/[+-]/.test(this.#text[this.#at] ?? '')) this.#at++
      this.#digits('in exponent of numeric literal')
    }
    if (this.#at - from > DOUBLE) this.#longNumber = true
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) failure(this.#text, this.#at, where)
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++
  }

  #word(word: string | undefined): void {
    if (word === undefined) failure(this.#text, this.#at, 'looking for beginning of value')
    for (const letter of word ?? '') {
      if (this.#text[this.#at] !== letter) failure(this.#text, this.#at, `in literal ${word} (expecting '${letter}')`)
      this.#at++
    }
  }

  /** The next character other than white space; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.#text.charCodeAt(++this.#at)
    return code
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE
