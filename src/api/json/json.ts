import { longNumbers, putBack } from './long-numbers.ts'
import { hasEscapedName, JsonReader } from './reader.ts'
import type { JsonObject, JsonValue, RawNumber } from './value.ts'

export type { JsonObject, JsonValue, RawNumber } from './value.ts'

declare global {
  // ECMAScript 2026 (JSON.parse source text access); TypeScript's library does not have it yet.
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): value is RawNumber
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  }
}

function keepExact(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context.source
  return source !== undefined && source !== JSON.stringify(value) ? JSON.rawJSON(source) : value
}

/** Parses JSON text; numbers beyond a double's precision survive. Throws SyntaxError. */
export const parseJson = (text: string): JsonValue => parsedBy(parsePlainly, text)

function parsePlainly(text: string): JsonValue {
  const long = longNumbers(text)
  const value = JSON.parse(text)
  return long === undefined || putBack(value, text, long) ? value : (JSON.parse(text, keepExact) as JsonValue)
}

/** Names that V8 may misread are read by ourselves, once it has said that the text is JSON. */
function parsedBy(parse: (text: string) => JsonValue, text: string): JsonValue {
  if (!hasEscapedName(text)) return parse(text)
  JSON.parse(text)
  return new JsonReader(text, parse, setMember).value()
}

/** The same; undefined where the text is no JSON. */
export function asJson(text: string): JsonValue | undefined {
  if (LITERALS.has(text)) return LITERALS.get(text)
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** What most members are that are looked at alone. */
const LITERALS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['0', 0],
])

/** A number with an exponent, which may be beyond a double (1e400) and would become `null`. */
const EXPONENT = /\d[eE][+-]?\d/

/** The same for what clients write by hand: a number that a double cannot hold stays as it is, so that the engine judges it. */
export const parseExactJson = (text: string): JsonValue => parsedBy(parseExactly, text)

/** The same for text that has no name with an escape in it. */
export const parseExactly = (text: string): JsonValue =>
  EXPONENT.test(text) ? (JSON.parse(text, keepExact) as JsonValue) : parsePlainly(text)

export const writeJson = (value: JsonValue): string => JSON.stringify(value)

export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/** The digits of a number, or undefined when the value is none. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return isRawNumber(value) ? value.rawJSON : undefined
}

/** An integer of any size as BigInt, or undefined. */
export function integer(value: JsonValue | undefined): bigint | undefined {
  const text = numberText(value)
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined
}

/** A BigInt as a JSON number, exact whatever its size. */
export function fromInteger(value: bigint): JsonValue {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : JSON.rawJSON(value.toString())
}

/**
 * Go sends `""`, `0`, `false`, `null`, `[]` and `{}` for "not set", and a missing member means the same.
 */
export function isUnset(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/** Without members that are not set, at any depth: Go's zero values and absence are the same. */
export function essence(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((element) => essence(element) ?? null)
  if (!isObject(value)) return isUnset(value) ? undefined : value
  const set = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const kept = essence(member)
    return kept === undefined ? [] : [[name, kept]]
  })
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

/** A copy of a value with every text in it as `change` has it; names stay. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change))
  if (!isObject(value)) return value
  const copy: JsonObject = {}
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) setMember(copy, name, mapTexts(member, change))
  return copy
}

/** Sets a member, `__proto__` included, as an own property. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
