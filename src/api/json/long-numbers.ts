/**
 * Numbers that a double cannot hold, put back into what JSON.parse made of a text. Its own way (a reviver that is given
 * each number's source) makes a note of every value first, and takes several times the parse.
 */

/** A double holds any integer of fifteen digits. */
const LONG = 16
const DIGIT_0 = 48
const DIGIT_9 = 57

const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_9

/**
 * The runs of sixteen digits and more that may be integers, each with its sign; undefined: there is none. Every such run
 * covers a place whose index is a multiple of sixteen, so the others are not looked at. Runs inside an id of hexadecimal
 * digits are told apart by the character before them; a doubtful one costs a look at all values, nothing else.
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

/** The end of a number with a fraction or an exponent, which may be as large. Words that end so too cost as above. */
const OTHERWISE = /[.eE][-+\d]\d*(?=[\s,\]}])/

/**
 * Puts the long numbers of a text back into its value, in place. False where it cannot be told by their values alone
 * which number was written how: then the reviver has to.
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

/** How each number was written; undefined where there are two that a double cannot tell apart. */
function byValue(numbers: readonly string[]): Map<number, string | undefined> {
  const written = new Map<number, string | undefined>()
  for (const number of numbers) {
    const value = Number(number)
    written.set(value, written.has(value) && written.get(value) !== number ? undefined : number)
  }
  return written
}
