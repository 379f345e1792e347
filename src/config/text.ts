/** A text as the pattern that matches it. Node 22 has no RegExp.escape. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The message of whatever was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Words with white space between them, as a list. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** JSON that has DEL and the controls above it as escapes, too: some terminals obey them (ECMA-48, C1). */
export const asPlainJson = (json: string): string =>
  json.replaceAll(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
