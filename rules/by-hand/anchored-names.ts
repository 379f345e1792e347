/**
 * Engines read the filter `name` as a regular expression. The bridge supports only the two anchors, and takes a dot
 * literally: an expression of a client, run with backtracking, could block the bridge.
 */
const PATTERN = /^(\^?)([^$^()[\]{}*+?|\\]*)(\$?)$/

export const isAnchored = (pattern: string): boolean => PATTERN.test(pattern)

export function matchesAnchored(pattern: string, name: string): boolean {
  const [, start, text = '', end] = PATTERN.exec(pattern) ?? []
  if (start === '^') return end === '$' ? name === text : name.startsWith(text)
  return end === '$' ? name.endsWith(text) : name.includes(text)
}
