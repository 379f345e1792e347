import { BACKSLASH, QUOTE } from './characters.ts'
import { longNumbers, putBack } from './long-numbers.ts'
import { JsonReader } from './reader.ts'
import type { Json, JsonObject, JsonValue, RawNumber } from './value.ts'

export type { Json, JsonObject, JsonValue, RawNumber } from './value.ts'

declare global {
  // ECMAScript 2026 (JSON.parse source text access), not yet in TypeScript's library.
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

/** Parses JSON text; numbers beyond a double's precision are preserved. Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  if (hasEscapedName(text)) {
    JSON.parse(text)
    return new JsonReader(text, setMember, false).value()
  }
  const long = longNumbers(text)
  const value = JSON.parse(text)
  return long === undefined || putBack(value, text, long) ? value : (JSON.parse(text, keepExact) as JsonValue)
}

/**
 * Detects an escape in a member's name (or, in invalid JSON, in any string followed by a colon). V8 may confuse such a
 * name with one from any earlier text: after `{"h":0,"\\":0}` it reads the name `"\""` of `{"h":0,"\"":0}` as a
 * backslash (nodejs/node#63785, V8 12.8 and later). The client would then get another body than the engine sent.
 */
export function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    for (let code = BACKSLASH; code !== QUOTE && at < text.length; code = text.charCodeAt(at))
      at += code === BACKSLASH ? 2 : 1
    SPACE.lastIndex = Math.min(at + 1, text.length)
    SPACE.test(text)
    at = SPACE.lastIndex
    if (text[at] === ':') return true
  }
  return false
}

const SPACE = /[ \t\r\n]*/y

/** Like `parseJson`, but undefined for invalid JSON. */
export function asJson(text: string): JsonValue | undefined {
  if (LITERALS.has(text)) return LITERALS.get(text)
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** The most common values of members that are parsed one at a time. */
const LITERALS: ReadonlyMap<string, JsonValue> = new Map(Object.entries({ null: null, true: true, false: false, 0: 0 }))

export const writeJson = (value: Json): string => JSON.stringify(value)

export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/** The value at a path of members; undefined if one of them is missing. */
export function memberAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let found = value
  for (const name of path) found = isObject(found) ? found[name] : undefined
  return found
}

/** The object, or an empty one for any other value. */
export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

/** The list, or an empty one for any other value. */
export const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

/** The string, or an empty one for any other value. */
export const stringOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** The digits of a number; undefined for other values. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return isRawNumber(value) ? value.rawJSON : undefined
}

/** An integer of any size as BigInt; undefined for other values. */
export function integer(value: JsonValue | undefined): bigint | undefined {
  const text = numberText(value)
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined
}

/** A BigInt as an exact JSON number. */
export function fromInteger(value: bigint): JsonValue {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : JSON.rawJSON(value.toString())
}

/** Go sends `""`, `0`, `false`, `null`, `[]` and `{}` for "not set", the same as a missing member. */
export function isUnset(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/** Removes unset members at any depth: Go treats zero values as absent. */
export function essence(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((element) => essence(element) ?? null)
  if (!isObject(value)) return isUnset(value) ? undefined : value
  const set = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const kept = essence(member)
    return kept === undefined ? [] : [[name, kept]]
  })
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

/** Copies a value and maps every string in it except member names. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change))
  return isObject(value) ? mapMembers(value, (member) => mapTexts(member, change)) : value
}

/** Copies an object with changed values, without undefined ones. */
export function mapMembers(object: JsonObject, change: (value: JsonValue, name: string) => JsonValue): JsonObject {
  const copy: JsonObject = {}
  for (const [name, value] of Object.entries(object))
    if (value !== undefined) setMember(copy, name, change(value, name))
  return copy
}

/** The members of an object that are to be kept. */
export const membersWhere = (object: JsonObject, isKept: (name: string, value: JsonValue) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => isKept(name, value ?? null)))

/** Sets a member as an own property, `__proto__` included. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
