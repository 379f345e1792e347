/** A text as the pattern that matches it. Node 22 has no RegExp.escape. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The message of whatever was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The code of a system error; '' for anything else. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** That code, or the message of anything else. */
export const reasonOf = (cause: unknown): string => codeOf(cause) || messageOf(cause)

/** The percent-encoding of a byte, given as a character of latin1 (RFC 3986, 2.1). */
export const percentEncoded = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Words with white space between them, as a list. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/**
 * Also escapes DEL and the C1 controls, which JSON.stringify leaves and some terminals obey (ECMA-48), and the separators
 * of lines and paragraphs, at which some readers of lines divide (Python's splitlines).
 */
export const asPlainJson = (json: string): string =>
  json.replaceAll(/[\x7f-\x9f\u2028\u2029]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
