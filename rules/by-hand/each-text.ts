import type { JsonValue } from '../../src/api/json/json.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'

/** A list with its texts spelled another way; undefined for other values. */
export const eachText = (list: JsonValue, spell: (text: string) => string): JsonValue | undefined =>
  Array.isArray(list) ? list.map((value) => (typeof value === 'string' ? spell(value) : value)) : undefined

/** A sample of such a list: its texts, and what becomes of each. */
export const eachOf = (texts: Readonly<Record<string, string>>): Pairs => [[Object.keys(texts), Object.values(texts)]]

/** A text becomes a list with one element, never split. */
export const textAsList = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? [value] : undefined)
