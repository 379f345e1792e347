/** Indenting a body that consists only of brackets would take gigabytes. */
const DEEPEST = 60

/** Strings (perhaps cut off), empty lists and objects, brackets, separators, and everything else. */
const TOKENS = /"(?:[^"\\]+|\\.)*"?|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s"[\]{},:]+/gs

/**
 * Formats JSON text with one member per line. Does not parse it: numbers keep their digits (64-bit integers), and
 * truncated text is shown up to its end.
 * @param {string} text
 * @returns {string[]}
 */
export function pretty(text) {
  /** @type {string[]} */
  const lines = []
  let line = ''
  let depth = 0
  const end = () => {
    lines.push(line)
    line = '  '.repeat(Math.max(0, Math.min(depth, DEEPEST)))
  }
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '}' || token === ']') {
      depth--
      end()
    }
    line += token === ':' ? ': ' : /^[[{]\s/.test(token) ? token.replace(/\s/g, '') : token
    if (token === '{' || token === '[') depth++
    if (token === '{' || token === '[' || token === ',') end()
  }
  return line.trim() === '' ? lines : [...lines, line]
}
