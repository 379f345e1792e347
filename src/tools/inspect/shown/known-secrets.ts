import { type Cleaner, FINDABLE } from '../../../audit/redact/known.ts'
import { scrubber } from '../../../audit/redact/text.ts'

export { FINDABLE } from '../../../audit/redact/known.ts'

/** The secrets of a call as they can stand in a line: those of several lines pass line by line. */
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

/** Without the beginning of a known secret at its end, where as many characters of it as `least` stand there. */
export function withoutBeginnings(text: string, { values }: Known, least: number): string {
  const longest = values.reduce((longest, secret) => Math.max(longest, overlap(text, secret)), 0)
  return longest < least ? text : text.slice(0, text.length - longest)
}

/**
 * How much of a secret's beginning stands at the end of a text (Knuth, Morris, Pratt). Clients choose both: to compare each
 * length with each would take the square of them.
 */
function overlap(text: string, secret: string): number {
  const most = Math.min(secret.length - 1, text.length)
  /** Up to each place: how long a beginning of the secret ends there too. */
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
