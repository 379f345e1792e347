/** Replaces a secret. */
export const REDACTED = '[redacted]'

/** Shorter values, such as `yes`, are too common to search for. */
export const FINDABLE = 4

/** Character comparisons allowed per character of text; real text needs less than one. */
const COMPARISONS_PER_CHARACTER = 32
const EXTRA_COMPARISONS = 100_000

/** Number of different hashes of first characters. */
const HASHES = 1 << 12

/** Removes known values from texts. */
export type Cleaner = (text: string) => string

/** As texts show it: plain, quoted in JSON or by Go's %q, in a path and in a query (Go's url.PathEscape and QueryEscape). */
const spellings = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.toWellFormed()),
  new URLSearchParams({ '': value }).toString().slice('='.length),
]

/** No spelling of such a value differs from it. */
const PLAIN = /^[\w.-]*$/

/**
 * Removes all these values in any spelling, longest first, in one pass. Clients choose values and text: a text that would
 * take too many comparisons is replaced altogether.
 */
export function cleanerOf(values: Iterable<string>): Cleaner {
  const spelled = [...values].flatMap((value) => (PLAIN.test(value) ? value : spellings(value)))
  const findable = [...new Set(spelled)].filter(({ length }) => length >= FINDABLE)
  if (findable.length === 0) return (text) => text
  let index: Index | undefined
  return (text) => {
    index ??= indexOf(findable)
    return cleaned(text, index)
  }
}

interface Index {
  /** Values by their first characters, longest first. */
  readonly byStart: ReadonlyMap<string, readonly string[]>
  /** By the hash of these characters, which rules out most positions of a text quickly. */
  readonly possible: Uint8Array
}

function indexOf(values: readonly string[]): Index {
  const longestFirst = values.toSorted((a, b) => b.length - a.length)
  const possible = new Uint8Array(HASHES)
  for (const value of values) possible[hashAt(value, 0)] = 1
  return { byStart: Map.groupBy(longestFirst, (value) => value.slice(0, FINDABLE)), possible }
}

const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) % HASHES

function cleaned(text: string, { byStart, possible }: Index): string {
  let comparisonsLeft = COMPARISONS_PER_CHARACTER * text.length + EXTRA_COMPARISONS
  let clean = ''
  let copied = 0
  for (let at = 0; at + FINDABLE <= text.length; at++) {
    if (possible[hashAt(text, at)] === 0) continue
    for (const value of byStart.get(text.slice(at, at + FINDABLE)) ?? []) {
      const same = sameFrom(text, at, value)
      if (same === value.length) {
        clean += text.slice(copied, at) + REDACTED
        copied = at + same
        at = copied - 1
        break
      }
      comparisonsLeft -= same
      if (comparisonsLeft < 0) return REDACTED
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
