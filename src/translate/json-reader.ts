import type { JsonObject, JsonValue } from './json.ts'

const BACKSLASH = 0x5c

/**
 * Whether the name of a member has an escape in it (or a text that a colon follows, in what is no JSON). V8 may read such a
 * name as another one that it met before, in any text: after `{"h":0,"\\":0}` the name `"\""` of `{"h":0,"\"":0}` is a
 * backslash (nodejs/node#63785, V8 12.8 and later). What was looked at and what the engine understands would be two things.
 */
export function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = endOfString(text, at)
    SPACE.lastIndex = at
    SPACE.test(text)
    if (text[SPACE.lastIndex] === ':') return true
  }
  return false
}

/** The end of the string literal that `at` is in: just behind its closing quote. */
export function endOfString(text: string, at: number): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === 0x22) return i + 1
  }
  return text.length
}

const PLAIN = /[^\s,:[\]{}]*/y
const SPACE = /[ \t\r\n]*/y

/** Reads text that is known to begin with a JSON value: names by themselves, scalars by `scalar`; `put` sets each member. */
export class JsonReader {
  readonly #text: string
  readonly #scalar: (text: string) => JsonValue
  readonly #put: (object: JsonObject, name: string, value: JsonValue) => void
  #at = 0

  constructor(
    text: string,
    scalar: (text: string) => JsonValue,
    put: (object: JsonObject, name: string, value: JsonValue) => void,
  ) {
    this.#text = text
    this.#scalar = scalar
    this.#put = put
  }

  value(): JsonValue {
    const next = this.#next()
    if (next === '{') return this.#object()
    if (next === '[') return this.#array()
    return this.#scalar(next === '"' ? this.#string() : this.#matched(PLAIN))
  }

  #object(): JsonObject {
    const object: JsonObject = {}
    for (this.#at++; this.#next() !== '}'; this.#skip(',')) {
      const name = JSON.parse(this.#string()) as string
      this.#skip(':')
      this.#put(object, name, this.value())
    }
    this.#at++
    return object
  }

  #array(): JsonValue[] {
    const array: JsonValue[] = []
    for (this.#at++; this.#next() !== ']'; this.#skip(',')) array.push(this.value())
    this.#at++
    return array
  }

  #string(): string {
    const from = this.#at
    this.#at = endOfString(this.#text, from + 1)
    return this.#text.slice(from, this.#at)
  }

  #next(): string {
    this.#matched(SPACE)
    return this.#text[this.#at] ?? ''
  }

  #skip(character: string): void {
    if (this.#next() === character) this.#at++
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }
}
