/** Codes of JSON's characters; in UTF-8 they are bytes too. A closing bracket is two above its opening one. */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const COLON = 0x3a
export const BACKSLASH = 0x5c
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

export const ZERO = 0x30
const NINE = 0x39
export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE
