/**
 * Lines of two messages beside each other.
 * @typedef {'same' | 'changed' | 'client' | 'engine'} Mark `client`: only the client's message has it.
 * @typedef {{ readonly mark: Mark, readonly left: string, readonly right: string }} Row
 */

/** Limit of differences searched at a time: the cost of the shortest edit script is quadratic. */
const CHUNK = 160

/**
 * The differences of two lists of lines (Myers, "An O(ND) Difference Algorithm", 1986), in chunks: after CHUNK
 * differences the furthest path is taken. So the cost is linear in the length, and the result contains every line of
 * both sides.
 * @param {readonly string[]} left
 * @param {readonly string[]} right
 * @returns {Row[]}
 */
export function align(left, right) {
  // A trailing comma only shows that another member follows.
  const [one, other] = [left.map(bare), right.map(bare)]
  /** @type {Row[]} */
  const rows = []
  /** @type {string[]} */
  let gone = []
  /** @type {string[]} */
  let come = []
  const flush = () => {
    rows.push(...paired(gone, come))
    gone = []
    come = []
  }
  let [x, y] = [0, 0]
  while (x < one.length || y < other.length) {
    for (const step of chunk(one, other, x, y)) {
      if (step === 'same') {
        flush()
        rows.push({ mark: 'same', left: left[x++] ?? '', right: right[y++] ?? '' })
      } else if (step === 'client') gone.push(left[x++] ?? '')
      else come.push(right[y++] ?? '')
    }
  }
  flush()
  return rows
}

/** @param {string} line */
const bare = (line) => (line.endsWith(',') ? line.slice(0, -1) : line)

/**
 * The steps from (x, y) to the end, or to the furthest point within CHUNK differences.
 * @param {readonly string[]} one
 * @param {readonly string[]} other
 * @param {number} x
 * @param {number} y
 * @returns {('same' | 'client' | 'engine')[]}
 */
function chunk(one, other, x, y) {
  const [n, m] = [one.length - x, other.length - y]
  const most = Math.min(CHUNK, n + m)
  const middle = most + 1
  const furthest = new Int32Array(2 * middle + 1)
  /** @type {Int32Array[]} */
  const history = []
  for (let d = 0; d <= most; d++) {
    history.push(furthest.slice())
    for (let k = -d; k <= d; k += 2) {
      let a = startOf(furthest, k, d, middle)
      while (a < n && a - k < m && one[x + a] === other[y + a - k]) a++
      furthest[middle + k] = a
      if (a >= n && a - k >= m) return back(history, k, d, middle, a)
    }
  }
  let [best, reached] = [0, -1]
  for (let k = -most; k <= most; k += 2) {
    const a = furthest[middle + k] ?? 0
    if (a > n || a - k > m || 2 * a - k <= reached) continue // past the end, or not as far
    best = k
    reached = 2 * a - k
  }
  return back(history, best, most, middle, furthest[middle + best] ?? 0)
}

/** @param {Int32Array} furthest @param {number} k @param {number} d @param {number} middle */
function startOf(furthest, k, d, middle) {
  const down = k === -d || (k !== d && (furthest[middle + k - 1] ?? 0) < (furthest[middle + k + 1] ?? 0))
  return down ? (furthest[middle + k + 1] ?? 0) : (furthest[middle + k - 1] ?? 0) + 1
}

/**
 * @param {readonly Int32Array[]} history
 * @param {number} k
 * @param {number} d
 * @param {number} middle
 * @param {number} a
 */
function back(history, k, d, middle, a) {
  /** @type {('same' | 'client' | 'engine')[]} */
  const steps = []
  let at = a
  let diagonal = k
  for (let depth = d; depth >= 0; depth--) {
    const before = history[depth] ?? new Int32Array(0)
    const start = depth === 0 ? 0 : startOf(before, diagonal, depth, middle)
    for (; at > start; at--) steps.push('same')
    if (depth === 0) break
    const down =
      diagonal === -depth ||
      (diagonal !== depth && (before[middle + diagonal - 1] ?? 0) < (before[middle + diagonal + 1] ?? 0))
    steps.push(down ? 'engine' : 'client')
    if (down) diagonal++
    else {
      diagonal--
      at--
    }
  }
  return steps.reverse()
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
    if (end === i) {
      const row = rows[i++]
      if (row !== undefined) result.push(row)
      continue
    }
    const from = i === 0 ? i : i + context
    const to = end === rows.length ? Math.max(from, end - last) : end - context
    if (to - from > 2) result.push(...rows.slice(i, from), { hidden: rows.slice(from, to) }, ...rows.slice(to, end))
    else result.push(...rows.slice(i, end))
    i = end
  }
  return result
}
