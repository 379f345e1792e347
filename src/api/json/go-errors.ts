/** Invalid JSON; the message is encoding/json's, because old clients received it verbatim. */
export class InvalidJson extends Error {}

/** Throws encoding/json's error for the character at `at`. Source: encoding/json/scanner.go (scanner.error). */
export function failure(text: string, at: number, where: string): never {
  const character = text.codePointAt(at)
  if (character === undefined) throw new InvalidJson('unexpected EOF')
  throw new InvalidJson(`invalid character ${quoted(character)} ${where}`)
}

/** The letters of Go's short escapes for 0x07 to 0x0d. */
const SHORT = 'abtnvfr'

/** Go quotes the first byte of a character beyond ASCII (scanner.go:quoteChar, strconv.Quote). */
function quoted(character: number): string {
  const byte = Buffer.from(String.fromCodePoint(character))[0] ?? 0
  const letter = SHORT[byte - 0x07]
  if (letter !== undefined) return `'\\${letter}'`
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`
  const text = String.fromCharCode(byte)
  return text === "'" || text === '\\' ? `'\\${text}'` : `'${text}'`
}
