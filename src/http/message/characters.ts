/** Character classes by code (RFC 9110, 5.5 and 5.6.2). */
const TOKEN = 1
const TEXT = 2

const kinds = new Uint8Array(256)
for (let code = 0x20; code < 256; code++) if (code !== 0x7f) kinds[code] = TEXT
kinds[0x09] = TEXT
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  kinds[character.charCodeAt(0)] = TEXT | TOKEN

/** Allowed in names. */
export const isToken = (code: number | undefined): boolean => ((kinds[code ?? 0] ?? 0) & TOKEN) !== 0
/** Allowed in values: no control characters except tab. */
export const isText = (code: number | undefined): boolean => ((kinds[code ?? 0] ?? 0) & TEXT) !== 0
const isBlank = (code: number): boolean => code === 0x20 || code === TAB

export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const COLON = 0x3a

/** A part of a text without HTTP's white space around it (RFC 9110, 5.6.3); `trim` removes more. */
export function trimmed(text: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}
