import { BACKSLASH, COLON, COMMA, isDigit, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE, ZERO } from './characters.ts'
import { failure, InvalidJson } from './go-errors.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** Go stops at 10,000 (encoding/json, maxNestingDepth), which would overflow the stack here; clients need far less. */
export const MAX_DEPTH = 1000

/** Members and elements of a body in total: a container that publishes all 65,535 ports of tcp has 330,000. */
export const MAX_VALUES = 400_000
/** Limit for one object or list: names are folded and looked up, which costs more than the small objects of ports. */
export const MAX_MEMBERS = 100_000

/** The text exceeds one of the limits; the message says which. */
class LimitExceeded extends Error {}

export type ReadJson =
  /** `end`: index just after the first value. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly end: number }
  /** In encoding/json's wording. */
  | { readonly kind: 'broken'; readonly words: string }
  | { readonly kind: 'beyond'; readonly words: string }

/** Sets a member of an object; also called for a name that it has already. */
type Put = (object: JsonObject, name: string, value: JsonValue) => void

/** Reads the first value of a text as encoding/json's Decoder does, in one pass and within the limits. */
export function readFirst(text: string, put: Put): ReadJson {
  const reader = new JsonReader(text, put, true)
  try {
    return { kind: 'value', value: reader.value(), end: reader.at }
  } catch (cause) {
    if (cause instanceof InvalidJson) return { kind: 'broken', words: cause.message }
    if (cause instanceof LimitExceeded) return { kind: 'beyond', words: cause.message }
    throw cause
  }
}

/** A number with at most this many characters and no exponent fits a double. */
const DOUBLE = 15
const WORDS: ReadonlyMap<number, readonly [word: string, value: JsonValue]> = new Map(
  [['true', true] as const, ['false', false] as const, ['null', null] as const].map((row) => [
    row[0].charCodeAt(0),
    row,
  ]),
)

/** An object or list being read; `name`: the member whose value comes next. */
interface Open {
  readonly holder: JsonObject | JsonValue[]
  readonly bracket: number
  name: string
  /** Members or elements so far. */
  held: number
}

/** Iterative, so that depth uses no stack. Source: encoding/json/scanner.go. */
export class JsonReader {
  at = 0
  readonly #text: string
  readonly #put: Put
  readonly #limited: boolean
  readonly #open: Open[] = []
  #values = 0

  constructor(text: string, put: Put, limited: boolean) {
    this.#text = text
    this.#put = put
    this.#limited = limited
  }

  value(): JsonValue {
    if (Number.isNaN(this.#next())) throw new InvalidJson('EOF')
    for (;;) {
      let value = this.#begin()
      for (;;) {
        const around = this.#open.at(-1)
        if (around === undefined) return value
        if (Array.isArray(around.holder)) around.holder.push(value)
        else this.#put(around.holder, around.name, value)
        if (this.#another(around)) break
        value = around.holder
        this.#open.pop()
      }
    }
  }

  /** Reads a scalar or an empty object or list; opens those around it. */
  #begin(): JsonValue {
    for (;;) {
      this.#check(++this.#values, MAX_VALUES, `the JSON has more than ${MAX_VALUES} members and elements`)
      const bracket = this.#next()
      if (bracket !== OPEN_BRACE && bracket !== OPEN_BRACKET) return this.#scalar(bracket)
      this.#check(this.#open.length + 1, MAX_DEPTH, `the JSON is nested deeper than ${MAX_DEPTH} levels`)
      this.at++
      const holder = bracket === OPEN_BRACE ? {} : []
      const first = this.#next()
      if (first === bracket + 2) {
        this.at++
        return holder
      }
      this.#open.push({ holder, bracket, name: bracket === OPEN_BRACE ? this.#name() : '', held: 1 })
    }
  }

  /** Reads what follows a value; true if it is another one of the same object or list. */
  #another(around: Open): boolean {
    const next = this.#next()
    const isObject = around.bracket === OPEN_BRACE
    if (next !== COMMA && next !== around.bracket + 2)
      failure(this.#text, this.at, isObject ? 'after object key:value pair' : 'after array element')
    this.at++
    if (next !== COMMA) return false
    this.#check(++around.held, MAX_MEMBERS, `an object or list of the JSON has more than ${MAX_MEMBERS} members`)
    if (isObject) around.name = this.#name()
    return true
  }

  #check(count: number, limit: number, words: string): void {
    if (this.#limited && count > limit) throw new LimitExceeded(words)
  }

  /** Reads a member's name and its colon. */
  #name(): string {
    if (this.#next() !== QUOTE) failure(this.#text, this.at, 'looking for beginning of object key string')
    const name = this.#string()
    if (this.#next() !== COLON) failure(this.#text, this.at, 'after object key')
    this.at++
    return name
  }

  #scalar(first: number): JsonValue {
    if (first === QUOTE) return this.#string()
    return first === MINUS || isDigit(first) ? this.#number(first) : this.#word(first)
  }

  #string(): string {
    const text = this.#text
    const from = this.at
    let escaped = false
    let at = from + 1
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      if (!(code >= 0x20)) failure(text, at, 'in string literal')
      if (code !== BACKSLASH) continue
      escaped = true
      at = this.#escape(at + 1)
    }
    this.at = at + 1
    // As Go: half of a surrogate pair is U+FFFD.
    return escaped ? (JSON.parse(text.slice(from, this.at)) as string).toWellFormed() : text.slice(from + 1, at)
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

  /** A number that a double may not hold keeps its text. */
  #number(first: number): JsonValue {
    const from = this.at
    if (first === MINUS) this.at++
    if (this.#text.charCodeAt(this.at) === ZERO) this.at++
    else this.#digits('in numeric literal')
    if (this.#text[this.at] === '.') {
      this.at++
      this.#digits('after decimal point in numeric literal')
    }
    const exponent = /[eE]/.test(this.#text[this.at] ?? '')
    if (exponent) {
      this.at++
      if (/[+-]/.test(this.#text[this.at] ?? '')) this.at++
      this.#digits('in exponent of numeric literal')
    }
    const source = this.#text.slice(from, this.at)
    const value = Number(source)
    return (exponent || source.length > DOUBLE) && String(value) !== source ? JSON.rawJSON(source) : value
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.at))) failure(this.#text, this.at, where)
    while (isDigit(this.#text.charCodeAt(this.at))) this.at++
  }

  #word(first: number): JsonValue {
    const known = WORDS.get(first)
    if (known === undefined) return failure(this.#text, this.at, 'looking for beginning of value')
    const [word, value] = known
    for (const letter of word) {
      if (this.#text[this.at] !== letter) failure(this.#text, this.at, `in literal ${word} (expecting '${letter}')`)
      this.at++
    }
    return value
  }

  /** The next character other than white space; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.at)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.#text.charCodeAt(++this.at)
    return code
  }
}
