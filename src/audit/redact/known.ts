/** What stands in the place of a secret. */
export const REDACTED = '[redacted]'

/** Values shorter than this are too common to be looked for in other texts: `1`, `yes`. */
export const FINDABLE = 4

/** Up to so many values, none of them long, the platform's own search is fastest. */
const FEW = 16
/** Longer ones can take V8's search the square of their length (kBMMaxShift in its string-search.h). */
const LONG = 250

/** How many characters may be compared for each one of the text: real ones take less than one. */
const PATIENCE = 32
const SPARE = 100_000

/** Takes known values out of texts. Made once, used for many texts. */
export type Cleaner = (text: string) => string

/**
 * Takes every one of these values out, the longest first, in one pass: what stands for one is not looked through for the
 * others. Clients choose values and text: one that has too many beginnings of values goes altogether.
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

/** Values by their first characters, the longest first. */
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

/** How many characters of a value stand in the text from there on. */
function sameFrom(text: string, at: number, value: string): number {
  let same = FINDABLE
  while (same < value.length && text.charCodeAt(at + same) === value.charCodeAt(same)) same++
  return same
}
