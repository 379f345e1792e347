import type { JsonObject, JsonValue } from './value.ts'

const BACKSLASH = 0x5c

/**
 * Detects an escape in a member's name (or, in invalid JSON, in any string followed by a colon). V8 may confuse such a
 * name with one from any earlier text: after `{"h":0,"\\":0}` it reads the name `"\""` of `{"h":0,"\"":0}` as a
 * backslash (nodejs/node#63785, V8 12.8 and later). The bridge would then check another body than the engine reads.
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

/** Index just after the closing quote of the string that contains `at`. */
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
/** An integer that a double holds. */
const SHORT = /^-?\d{1,15}$/
const BETWEEN = /[ \t\r\n,:]*/y

/** An object or list being read; `name`: the member whose value comes next. */
interface Open {
  readonly holder: JsonObject | JsonValue[]
  name: string | undefined
}

/**
 * Reads text that is known to start with a JSON value; `scalar` parses longer numbers, `put` sets each member.
 * Iterative, so that depth uses no stack.
 */
export class JsonReader {
  readonly #text: string
  readonly #scalar: (text: string) => JsonValue
  readonly #put: (object: JsonObject, name: string, value: JsonValue) => void
  readonly #open: Open[] = []
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
    for (;;) {
      const value = this.#next()
      if (value === undefined) continue
      const around = this.#open.at(-1)
      if (around === undefined) return value
      this.#place(around, value)
    }
  }

  /** The next complete value; undefined if none has ended yet. */
  #next(): JsonValue | undefined {
    this.#matched(BETWEEN)
    switch (this.#text[this.#at]) {
      case '{':
      case '[':
        this.#open.push({ holder: this.#text[this.#at++] === '{' ? {} : [], name: undefined })
        return undefined
      case '}':
      case ']':
        this.#at++
        return this.#open.pop()?.holder
      case '"':
        return this.#string()
      default:
        return this.#plain(this.#matched(PLAIN))
    }
  }

  /** Undefined for a member's name. */
  #string(): JsonValue | undefined {
    const from = this.#at
    this.#at = endOfString(this.#text, from + 1)
    const text = this.#text.slice(from, this.#at)
    const around = this.#open.at(-1)
    const said = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
    if (around === undefined || Array.isArray(around.holder) || around.name !== undefined) return said
    around.name = said
    return undefined
  }

  /** Handles short integers and literals directly: calling a parser for each took most of the time. */
  #plain(text: string): JsonValue {
    if (text === 'null') return null
    if (text === 'true' || text === 'false') return text === 'true'
    return SHORT.test(text) ? Number(text) : this.#scalar(text)
  }

  #place(around: Open, value: JsonValue): void {
    if (Array.isArray(around.holder)) around.holder.push(value)
    else this.#put(around.holder, around.name ?? '', value)
    around.name = undefined
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }
}
