export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const SPACE = 0x20
export const COMMA = 0x2c

/** The first place from `at` on that is no white space (RFC 8259, 2). */
export function skipSpace(bytes: Buffer, at: number): number {
  let i = at
  while (i < bytes.length) {
    const byte = bytes[i]
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    i++
  }
  return i
}

/** Where the text that begins at `quote` ends, or -1. */
export function textEnd(bytes: Buffer, quote: number): number {
  const { length } = bytes
  for (let i = quote + 1; i < length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH) i++
  }
  return -1
}

/** The same; -1 also where there are escapes in it. */
export function plainTextEnd(bytes: Buffer, quote: number): number {
  const { length } = bytes
  for (let i = quote + 1; i < length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH) return -1
  }
  return -1
}

/**
 * Where the object that begins at `at` ends, or -1. Looks for brackets and quotes alone: whether it is JSON is for the
 * parser to say. In UTF-8 no byte of a longer character looks like either.
 */
export const objectEnd = (bytes: Buffer, at: number): number => (bytes[at] === OPEN_BRACE ? valueEnd(bytes, at) : -1)

/** The same for any value; a number, or a word, ends where the next comma or bracket stands. */
export function valueEnd(bytes: Buffer, at: number): number {
  const { length } = bytes
  let depth = 0
  for (let i = at; i < length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        for (i++; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
        if (depth === 0) return i < length ? i + 1 : -1
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++
        break
      case COMMA:
        if (depth === 0) return i === at ? -1 : i
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth === 0) return i === at ? -1 : i
        if (--depth === 0) return i + 1
        break
      default:
    }
  }
  return -1
}

/** Where the first element of a list of objects stands, or -1 when these bytes begin otherwise. */
export function firstElement(bytes: Buffer): number {
  const open = skipSpace(bytes, 0)
  return bytes[open] === OPEN_BRACKET ? skipSpace(bytes, open + 1) : -1
}

/** What comes after an element: where the next one stands, `end` when the list is over, or undefined when it is broken. */
export function afterElement(bytes: Buffer, at: number): number | 'end' | undefined {
  const i = skipSpace(bytes, at)
  if (bytes[i] === COMMA) return skipSpace(bytes, i + 1)
  return bytes[i] === CLOSE_BRACKET && skipSpace(bytes, i + 1) === bytes.length ? 'end' : undefined
}
