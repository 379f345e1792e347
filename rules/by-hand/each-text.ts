import type { JsonValue } from '../../src/api/json/json.ts'

/** A list with its texts spelled another way; undefined for other values. */
export const eachText = (list: JsonValue, spell: (text: string) => string): JsonValue | undefined =>
  Array.isArray(list) ? list.map((value) => (typeof value === 'string' ? spell(value) : value)) : undefined
