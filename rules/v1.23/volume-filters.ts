/**
 * Engines read the filter `name` as a regular expression. Here only its two anchors are known and a dot is a dot: a
 * client's own expression, run with backtracking, could stop the bridge.
 */
const PATTERN = /^(\^?)([^$^()[\]{}*+?|\\]*)(\$?)$/

export const isAnchored = (pattern: string): boolean => PATTERN.test(pattern)

export function matchesAnchored(pattern: string, name: string): boolean {
  const [, start, text = '', end] = PATTERN.exec(pattern) ?? []
  if (start === '^') return end === '$' ? name === text : name.startsWith(text)
  return end === '$' ? name.endsWith(text) : name.includes(text)
}
