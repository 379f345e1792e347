import { type JsonValue, stringOf } from '../../src/api/json/json.ts'

/** `*` and `?` as in Go's path.Match: neither matches a slash. All ways to match are followed at once, without backtracking. */
function matches(glob: string, text: string): boolean {
  const pattern = glob.replace(/\*+/g, '*')
  const withStar = (at: number): number[] => (pattern[at] === '*' ? [at, at + 1] : [at])
  const after = (at: number, char: string): number[] => {
    if (pattern[at] === '*') return char === '/' ? [] : withStar(at)
    return pattern[at] === char || (pattern[at] === '?' && char !== '/') ? withStar(at + 1) : []
  }
  let reached = new Set(withStar(0))
  for (const char of text) reached = new Set([...reached].flatMap((at) => after(at, char)))
  return reached.has(pattern.length)
}

/** Sets of characters and escapes, which `isNamed` does not know. */
export const hasSet = (pattern: string): boolean => /[[\\]/.test(pattern)

/** Whether a pattern matches the whole reference or its name (reference.FamiliarMatch). */
export const isNamed = (reference: JsonValue, patterns: readonly string[]): boolean => {
  if (typeof reference !== 'string') return false
  const name = nameOf(reference)
  return patterns.some((pattern) => matches(pattern, reference) || matches(pattern, name))
}

/** A reference without its tag and digest. */
export const nameOf = (reference: string): string => (reference.split('@', 1)[0] ?? '').replace(/:[^/:]*$/, '')

/** A reference with the default tag, if it has neither tag nor digest. */
export const tagged = (reference: string): string =>
  reference.lastIndexOf(':') > reference.lastIndexOf('/') ? reference : `${reference}:latest`

/** A reference as Docker shows it: Podman says where it is from. */
export const familiar = (reference: string): string => reference.replace(/^docker\.io\/(?:library\/)?/, '')

/** The id of an image as Docker says it, with its algorithm. */
export const withAlgorithm = (id: JsonValue): JsonValue | undefined =>
  /^[0-9a-f]{64}\n?$/.test(stringOf(id)) ? `sha256:${stringOf(id)}` : undefined
