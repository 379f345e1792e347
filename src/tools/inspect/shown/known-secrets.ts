import { type Cleaner, FINDABLE } from '../../../audit/redact/known.ts'
import { scrubber } from '../../../audit/redact/text.ts'

/** A call's secrets as they can occur in a line: multi-line ones are matched line by line. */
export interface Known {
  readonly values: readonly string[]
  readonly longest: number
  readonly clean: Cleaner
}

export function inLines(secrets: ReadonlySet<string>): Known {
  const values = [...secrets].flatMap((secret) => secret.split(/\r?\n/)).filter(({ length }) => length >= FINDABLE)
  const longest = values.reduce((longest, { length }) => Math.max(longest, length), 0)
  return { values, longest, clean: scrubber(values) }
}

/** Removes a known secret's prefix at the text's end if it has at least `least` characters. */
export function withoutBeginnings(text: string, { values }: Known, least: number): string {
  const longest = values.reduce((longest, secret) => Math.max(longest, overlap(text, secret)), 0)
  return longest < least ? text : text.slice(0, text.length - longest)
}

/**
 * Length of the longest prefix of a secret at the end of a text (Knuth, Morris, Pratt). Clients choose both, and
 * comparing every length would be quadratic.
 */
function overlap(text: string, secret: string): number {
  const most = Math.min(secret.length - 1, text.length)
  /** For each position: length of the secret's prefix that also ends there. */
  const again = new Uint32Array(most)
  const longer = (matched: number, code: number): number => {
    let length = matched
    while (length > 0 && code !== secret.charCodeAt(length)) length = again[length - 1] ?? 0
    return code === secret.charCodeAt(length) ? length + 1 : length
  }
  for (let i = 1; i < most; i++) again[i] = longer(again[i - 1] ?? 0, secret.charCodeAt(i))
  let matched = 0
  for (let i = text.length - most; i < text.length; i++) matched = longer(matched, text.charCodeAt(i))
  return matched
}
