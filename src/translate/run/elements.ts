const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const SPACE = 0x20
const COMMA = 0x2c

/** Index of the first character from `at` on other than white space (RFC 8259, 2). */
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
 * End of the object that starts at `at`, or -1. Looks only for brackets and quotes; the parser validates the JSON. In
 * UTF-8, multi-byte characters contain neither.
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

/** Start of the first element of a list of objects, or -1 for other content. */
export function firstElement(bytes: Buffer): number {
  const open = skipSpace(bytes, 0)
  return bytes[open] === OPEN_BRACKET ? skipSpace(bytes, open + 1) : -1
}

/** Start of the next element, `end` at the end of the list, undefined for a syntax error. */
export function afterElement(bytes: Buffer, at: number): number | 'end' | undefined {
  const i = skipSpace(bytes, at)
  if (bytes[i] === COMMA) return skipSpace(bytes, i + 1)
  return bytes[i] === CLOSE_BRACKET && skipSpace(bytes, i + 1) === bytes.length ? 'end' : undefined
}
