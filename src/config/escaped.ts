/** A text as the pattern that matches it. Node 22 has no RegExp.escape. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
