/** Indenting a body that consists only of brackets would take gigabytes. */
const DEEPEST = 60

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
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '"') {
      const to = endOfString(text, i)
      line += text.slice(i, to)
      i = to - 1
    } else if (character === '{' || character === '[') {
      const closed = /^\s*[}\]]/.exec(text.slice(i + 1, i + 20))
      if (closed !== null) {
        line += character + closed[0].trim()
        i += closed[0].length
        continue
      }
      line += character
      depth++
      end()
    } else if (character === '}' || character === ']') {
      depth--
      end()
      line += character
    } else if (character === ',') {
      line += ','
      end()
    } else if (character === ':') line += ': '
    else if (!/\s/.test(character)) line += character
  }
  return line.trim() === '' ? lines : [...lines, line]
}

/** @param {string} text @param {number} from */
function endOfString(text, from) {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
  return text.length
}
