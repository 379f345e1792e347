/** Invalid JSON; the message is encoding/json's, because old clients received it verbatim. */
export class Broken extends Error {}

/** Throws encoding/json's error for the character at `at`. Source: encoding/json/scanner.go (scanner.error). */
export function failure(text: string, at: number, where: string): never {
  const character = text.codePointAt(at)
  if (character === undefined) throw new Broken('unexpected EOF')
  throw new Broken(`invalid character ${quoted(character)} ${where}`)
}

const SHORT: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x27, "\\'"],
  [0x5c, '\\\\'],
])

/** Go quotes the first byte of a character beyond ASCII (scanner.go:quoteChar, strconv.Quote). */
function quoted(character: number): string {
  const byte = Buffer.from(String.fromCodePoint(character))[0] ?? 0
  const control = byte < 0x20 || byte === 0x7f ? `\\x${byte.toString(16).padStart(2, '0')}` : undefined
  return `'${SHORT.get(byte) ?? control ?? String.fromCharCode(byte)}'`
}
