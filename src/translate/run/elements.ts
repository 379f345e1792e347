const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const SPACE = 0x20
const COMMA = 0x2c

/** The first place from `at` on that is no white space (RFC 8259, 2). */
function skipSpace(bytes: Buffer, at: number): number {
  let i = at
  while (i < bytes.length) {
    const byte = bytes[i]
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    i++
  }
  return i
}

/**
 * Where the object that begins at `at` ends, or -1. Looks for brackets and quotes alone: whether it is JSON is for the
 * parser to say. In UTF-8 no byte of a longer character looks like either.
 */
export function objectEnd(bytes: Buffer, at: number): number {
  const { length } = bytes
  if (bytes[at] !== OPEN_BRACE) return -1
  let depth = 0
  for (let i = at; i < length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        for (i++; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
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
