/** Replaces a secret. */
export const REDACTED = '[redacted]'

/** Shorter values, such as `yes`, are too common to search for. */
export const FINDABLE = 4

/** For up to so many short values the built-in search is fastest. */
const FEW = 16
/** V8's search can be quadratic for longer patterns (kBMMaxShift in its string-search.h). */
const LONG = 250

/** Character comparisons allowed per character of text; real text needs less than one. */
const PATIENCE = 32
const SPARE = 100_000

/** Removes known values from texts. */
export type Cleaner = (text: string) => string

/**
 * Removes all these values, longest first, in one pass. Clients choose values and text: a text that would take too many
 * comparisons is replaced altogether.
 */
export function cleanerOf(values: Iterable<string>): Cleaner {
  const findable = [...new Set(values)].filter(({ length }) => length >= FINDABLE)
  if (findable.length === 0) return (text) => text
  const small = findable.length <= FEW && findable.every(({ length }) => length <= LONG)
  let index: Index | undefined
  const whole = (text: string): string => {
    index ??= indexOf(findable)
    return cleaned(text, index)
  }
  if (!small) return whole
  return (text) => {
    const found = findable.filter((value) => text.includes(value))
    if (found.length === 0) return text
    return found.length === 1 ? text.replaceAll(found[0] ?? '', REDACTED) : whole(text)
  }
}

/** Values by their first characters, longest first. */
type Index = ReadonlyMap<string, readonly string[]>

function indexOf(values: readonly string[]): Index {
  const index = new Map<string, string[]>()
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const start = value.slice(0, FINDABLE)
    const others = index.get(start)
    if (others === undefined) index.set(start, [value])
    else others.push(value)
  }
  return index
}

function cleaned(text: string, index: Index): string {
  let patience = PATIENCE * text.length + SPARE
  let clean = ''
  let copied = 0
  for (let at = 0; at + FINDABLE <= text.length; at++) {
    for (const value of index.get(text.slice(at, at + FINDABLE)) ?? []) {
      const same = sameFrom(text, at, value)
      if (same === value.length) {
        clean += text.slice(copied, at) + REDACTED
        copied = at + same
        at = copied - 1
        break
      }
      patience -= same
      if (patience < 0) return REDACTED
    }
  }
  return copied === 0 ? text : clean + text.slice(copied)
}

/** Length of the common prefix of the value and the text at `at`. */
function sameFrom(text: string, at: number, value: string): number {
  let same = FINDABLE
  while (same < value.length && text.charCodeAt(at + same) === value.charCodeAt(same)) same++
  return same
}
