import { isDigit } from './characters.ts'

/**
 * Restores numbers that a double cannot hold in the output of JSON.parse. A reviver with source text access would
 * allocate for every value and take several times as long as the parse.
 */

/** A double holds any integer of fifteen digits. */
const LONG = 16

/**
 * Runs of sixteen or more digits that may be integers, with their signs; undefined if there are none. Every such run
 * covers an index that is a multiple of sixteen, so only those are checked. Runs inside a hexadecimal id are recognized
 * by the character before them; a false positive costs a walk over all values, nothing else.
 */
export function longNumbers(text: string): string[] | undefined {
  let found: string[] | undefined
  for (let i = 0; i < text.length; i += LONG) {
    if (!isDigit(text.charCodeAt(i))) continue
    let start = i
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--
    let end = i + 1
    while (end < text.length && isDigit(text.charCodeAt(end))) end++
    if (end - start >= LONG && !/[0-9a-f"]/.test(text[start - 1] ?? '')) {
      found ??= []
      found.push(text.slice(text[start - 1] === '-' ? start - 1 : start, end))
    }
    i = end - (end % LONG)
  }
  return found
}

/**
 * The end of a number with a fraction or an exponent, which may be as large. Words with the same ending are false
 * positives as above.
 */
const OTHERWISE = /[.eE][-+\d]\d*(?=[\s,\]}])/

/**
 * Restores the long numbers of a text in its parsed value, in place. False if different numbers of the text became the
 * same double: then the caller uses the reviver.
 */
export function putBack(value: unknown, text: string, numbers: readonly string[]): boolean {
  if (typeof value !== 'object' || OTHERWISE.test(text)) return false
  const written = byValue(numbers)
  const open = [value]
  for (let members = open.pop(); members !== undefined; members = open.pop()) {
    const object = members as Record<string, unknown>
    for (const name in object) {
      const member = object[name]
      if (typeof member === 'object') open.push(member)
      else if (typeof member === 'number' && !Number.isSafeInteger(member)) {
        const number = written.get(member)
        if (number === undefined) return false
        if (number !== String(member)) object[name] = JSON.rawJSON(number)
      }
    }
  }
  return true
}

/** Maps each double to its number's text; undefined if two numbers become the same double. */
function byValue(numbers: readonly string[]): Map<number, string | undefined> {
  const written = new Map<number, string | undefined>()
  for (const number of numbers) {
    const value = Number(number)
    written.set(value, written.has(value) && written.get(value) !== number ? undefined : number)
  }
  return written
}
