/**
 * Lines of two messages beside each other.
 * @typedef {'same' | 'changed' | 'client' | 'engine'} Mark `client`: only the client's message has it.
 * @typedef {{ readonly mark: Mark, readonly left: string, readonly right: string }} Row
 */

/** Lines compared at a time: the cost of the longest common subsequence is quadratic. */
const WINDOW = 400

/**
 * Aligns two lists of lines by what they have in common, a window at a time: the cost is linear in their length. The
 * result contains every line of both sides.
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 * @returns {Row[]}
 */
export function align(left, right) {
  // A trailing comma only shows that another member follows.
  const bare = (/** @type {string} */ line) => line.replace(/,$/, '')
  const [one, other] = [left.map(bare), right.map(bare)]
  /** @type {Row[]} */
  const rows = []
  /** @type {[string[], string[]]} */
  const [gone, come] = [[], []]
  let [x, y] = [0, 0]
  let window = commonLines(one, other, x, y)
  while (x < left.length || y < right.length) {
    const both = x < left.length && y < right.length
    if (both && one[x] === other[y]) {
      rows.push(...paired(gone.splice(0), come.splice(0)))
      rows.push({ mark: 'same', left: left[x++] ?? '', right: right[y++] ?? '' })
      continue
    }
    if (both && (x >= window.endX || y >= window.endY)) window = commonLines(one, other, x, y)
    const goes = both ? window.common(x + 1, y) >= window.common(x, y + 1) : x < left.length
    if (goes) gone.push(left[x++] ?? '')
    else come.push(right[y++] ?? '')
  }
  return [...rows, ...paired(gone, come)]
}

/**
 * The number of lines that the rests of two windows have in common, for each pair of positions.
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 * @param {number} fromX
 * @param {number} fromY
 */
function commonLines(left, right, fromX, fromY) {
  const [endX, endY] = [Math.min(fromX + WINDOW, left.length), Math.min(fromY + WINDOW, right.length)]
  const width = endY - fromY + 1
  const table = new Uint16Array((endX - fromX + 1) * width)
  const at = (/** @type {number} */ x, /** @type {number} */ y) => (x - fromX) * width + y - fromY
  const common = (/** @type {number} */ x, /** @type {number} */ y) => table[at(x, y)] ?? 0
  for (let x = endX - 1; x >= fromX; x--)
    for (let y = endY - 1; y >= fromY; y--)
      table[at(x, y)] = left[x] === right[y] ? common(x + 1, y + 1) + 1 : Math.max(common(x + 1, y), common(x, y + 1))
  return { endX, endY, common }
}

/** The name of a JSON member or of a header, or the start of the line. @param {string} line */
const keyOf = (line) => /^\s*(?:"([^"]+)":|[\w-]+:)/.exec(line)?.[0] ?? line.trim().split(' ', 1)[0] ?? ''

/**
 * Pairs one-sided lines with the same name as changed lines. Keeps the order of both sides.
 * @param {readonly string[]} gone
 * @param {readonly string[]} come
 * @returns {Row[]}
 */
function paired(gone, come) {
  /** @type {Row[]} */
  const rows = []
  const others = [...come]
  for (const line of gone) {
    const twin = others.findIndex((other) => keyOf(other) === keyOf(line))
    if (twin === -1) rows.push({ mark: 'client', left: line, right: '' })
    else {
      for (const early of others.splice(0, twin)) rows.push({ mark: 'engine', left: '', right: early })
      rows.push({ mark: 'changed', left: line, right: others.shift() ?? '' })
    }
  }
  return [...rows, ...others.map((line) => /** @type {Row} */ ({ mark: 'engine', left: '', right: line }))]
}

/**
 * The differing part of two versions of a line, without common prefix and suffix.
 * @param {string} left
 * @param {string} right
 * @returns {{ readonly start: number, readonly left: number, readonly right: number }} the ends of the different parts
 */
export function differentPart(left, right) {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let tail = 0
  const room = Math.min(left.length, right.length) - start
  while (tail < room && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++
  return { start, left: left.length - tail, right: right.length - tail }
}

/**
 * Folds equal lines far from a difference.
 * @param {readonly Row[]} rows
 * @param {number} context
 * @param {number} last number of lines at the end that always stay visible: where a stream grows
 * @returns {(Row | { readonly hidden: readonly Row[] })[]}
 */
export function folded(rows, context = 3, last = 0) {
  /** @type {(Row | { readonly hidden: readonly Row[] })[]} */
  const result = []
  for (let i = 0; i < rows.length; ) {
    let end = i
    while (end < rows.length && rows[end]?.mark === 'same') end++
    const from = i === 0 ? i : i + context
    const to = end === rows.length ? Math.max(from, end - last) : end - context
    if (to - from > 2) result.push(...rows.slice(i, from), { hidden: rows.slice(from, to) }, ...rows.slice(to, end))
    else result.push(...rows.slice(i, end))
    result.push(...rows.slice(end, end + 1)) // the row that differs
    i = end + 1
  }
  return result
}
