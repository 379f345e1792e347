import { decodeAsGo } from '../api/validation/go-json.ts'
import { Refusal } from '../errors.ts'
import { putAsGo } from './go-names.ts'
import { isObject, type JsonObject, type JsonValue, parseExactJson } from './json.ts'

/** Go stops at 10,000 (encoding/json, maxNestingDepth), where the stack would be gone; nobody means a tenth of it. */
export const MAX_DEPTH = 1000

export interface ReadBody {
  /** Undefined: no JSON. */
  readonly value: JsonValue | undefined
  /** Whether the text says a member twice, so that only the value written anew says for certain what is meant. */
  readonly ambiguous: boolean
  /** What stands behind the value: '' when nothing but space does. */
  readonly rest: string
}

/**
 * Reads a request body as the engine will: the first value counts (engines up to 20.10 look no further), a member that
 * comes twice is merged. What was looked at and what the engine understands must never be two things. Throws a Refusal
 * when it is nested too deeply.
 */
export function readAsGo(text: string): ReadBody {
  const { members, depth } = measure(text)
  if (depth > MAX_DEPTH) throw new Refusal('bad-request', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
  const { value, rest } = firstValue(text)
  const holds = Array.isArray(value) || isObject(value)
  if (!holds || members === countMembers(value)) return { value, ambiguous: false, rest }
  return { value: new MergingReader(text).value(), ambiguous: true, rest }
}

function firstValue(text: string): { value: JsonValue | undefined; rest: string } {
  try {
    return { value: parseExactJson(text), rest: '' }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  const decoded = decodeAsGo(text)
  if ('error' in decoded) return { value: undefined, rest: '' }
  try {
    return { value: parseExactJson(text.slice(0, decoded.end)), rest: text.slice(decoded.end) }
  } catch (cause) {
    if (cause instanceof SyntaxError) return { value: undefined, rest: '' }
    throw cause
  }
}

/** The end of a string literal that begins at `from`: just behind its closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++
    if (escapes % 2 === 0) return at + 1
  }
}

/** Members written and the deepest nesting of the first value, in one pass and without parsing. */
function measure(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let level = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at) - 1
        break
      case 0x3a: // :
        members++
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++level > depth) depth = level
        if (depth > MAX_DEPTH) return { members, depth }
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (--level <= 0) return { members, depth }
        break
      default:
    }
  }
  return { members, depth }
}

function countMembers(value: JsonValue | undefined): number {
  let count = 0
  if (Array.isArray(value)) for (const element of value) count += countMembers(element)
  else if (isObject(value)) for (const name of Object.keys(value)) count += 1 + countMembers(value[name])
  return count
}

const PLAIN = /[^\s,:[\]{}]*/y
const SPACE = /[ \t\r\n]*/y

/** Parses text that is known to begin with a JSON value, merging members that come twice. */
class MergingReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): JsonValue {
    const next = this.#next()
    if (next === '{') return this.#object()
    if (next === '[') return this.#array()
    return parseExactJson(next === '"' ? this.#string() : this.#matched(PLAIN))
  }

  #object(): JsonObject {
    const object: JsonObject = {}
    for (this.#at++; this.#next() !== '}'; this.#skip(',')) {
      const name = JSON.parse(this.#string()) as string
      this.#skip(':')
      putAsGo(object, name, this.value())
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
    this.#at = endOfString(this.#text, from)
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
