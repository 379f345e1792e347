import { diff, styleText } from 'node:util'

/** Two versions of a message side by side (or, on narrow terminals, interleaved), with the differences marked. */

/** ` ` in both, `~` changed, `<` only at the client, `>` only at the engine, `…` omitted. */
export type Mark = ' ' | '~' | '<' | '>' | '…'

export interface Row {
  readonly mark: Mark
  readonly left: string
  readonly right: string
}

/** Lines of context around a difference, and lines shown of a one-sided block. */
const CONTEXT = 1
const LONGEST_BLOCK = 10
/** Limit of rows shown per message. */
const MAX_ROWS = 40
/** Shorter runs of equal lines are not omitted. */
const SHORT_RUN = 7
/** Limit of lines for one wrapped line. */
const LONGEST_WRAP = 3
export const SIDE_BY_SIDE_WIDTH = 100
const WIDEST = 180

/** The name of a JSON member, or the start of the line. */
const keyOf = (line: string): string => /^\s*"([^"]+)":/.exec(line)?.[0] ?? line.trim().split(' ', 1)[0] ?? ''

/** Pairs the lines of both sides: equal ones, changed ones with the same key, then the rest of each side. */
export function align(left: readonly string[], right: readonly string[]): Row[] {
  const rows: Row[] = []
  let gone: string[] = []
  let come: string[] = []
  const flush = (): void => {
    const others = [...come]
    for (const line of gone) {
      const twin = others.findIndex((other) => keyOf(other) === keyOf(line))
      const match = twin === -1 ? undefined : others[twin]
      // Order is kept: lines before the match come first.
      if (match === undefined) rows.push({ mark: '<', left: line, right: '' })
      else {
        for (const early of others.splice(0, twin)) rows.push({ mark: '>', left: '', right: early })
        others.shift()
        rows.push({ mark: '~', left: line, right: match })
      }
    }
    for (const line of others) rows.push({ mark: '>', left: '', right: line })
    gone = []
    come = []
  }
  // A trailing comma only shows that another member follows.
  const bare = (line: string): string => line.replace(/,$/, '')
  // util.diff: 1 is a line of the first value only, -1 one of the second only (measured on Node 26.10).
  for (const [kind, line] of diff(left.map(bare), right.map(bare))) {
    if (kind === 1) gone.push(line)
    else if (kind === -1) come.push(line)
    else {
      flush()
      rows.push({ mark: ' ', left: line, right: line })
    }
  }
  flush()
  return rows
}

/** Omits equal lines far from a difference, and the rest of long one-sided blocks. */
export function shorten(rows: readonly Row[]): Row[] {
  const near = rows.map(
    (_row, i) => i === 0 || rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  )
  const result: Row[] = []
  for (let i = 0; i < rows.length; ) {
    const row = rows[i]
    if (row === undefined) break
    let end = i
    while (end < rows.length && rows[end]?.mark === row.mark && (row.mark !== ' ' || near[end] === near[i])) end++
    const length = end - i
    const shown = row.mark === ' ' ? (near[i] === true || length <= SHORT_RUN ? length : 0) : LONGEST_BLOCK
    result.push(...rows.slice(i, i + Math.min(shown, length)))
    if (length > shown) result.push(leftOut(row.mark, length - shown))
    i = end
  }
  return result.length <= MAX_ROWS ? result : [...result.slice(0, MAX_ROWS), rest(result.slice(MAX_ROWS))]
}

function rest(rows: readonly Row[]): Row {
  const differences = rows.filter(({ mark }) => mark === '~' || mark === '<' || mark === '>').length
  const text = `… and ${differences} more differences`
  return { mark: '…', left: text, right: text }
}

function leftOut(mark: Mark, count: number): Row {
  const text = `… ${count} ${mark === ' ' ? 'equal' : 'more'} ${count === 1 ? 'line' : 'lines'}`
  return { mark: '…', left: mark === '>' ? '' : text, right: mark === '<' ? '' : text }
}

/** Wraps a line at `width` into three lines at most; continuations are indented by two. */
function wrap(line: string, width: number): string[] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > width && pieces.length < LONGEST_WRAP - 1) {
    const blank = rest.lastIndexOf(' ', width)
    const cut = blank > width / 2 ? blank : width
    pieces.push(rest.slice(0, cut))
    rest = `  ${rest.slice(cut).trimStart()}`
  }
  pieces.push(rest.length > width ? `${rest.slice(0, width - 1)}…` : rest)
  return pieces
}

type Paint = (text: string) => string

const PAINTS: Readonly<Record<Mark, { readonly left: Paint; readonly right: Paint }>> = {
  ' ': { left: (text) => text, right: (text) => text },
  '~': { left: (text) => styleText('yellow', text), right: (text) => styleText('yellow', text) },
  '<': { left: (text) => styleText('green', text), right: (text) => text },
  '>': { left: (text) => text, right: (text) => styleText('magenta', text) },
  '…': { left: (text) => styleText('dim', text), right: (text) => styleText('dim', text) },
}

function sideBySide(rows: readonly Row[], width: number): string[] {
  const column = Math.floor((Math.min(width, WIDEST) - 3) / 2)
  return rows.flatMap(({ mark, left, right }) => {
    const lefts = wrap(left, column)
    const rights = wrap(right, column)
    return Array.from({ length: Math.max(lefts.length, rights.length) }, (_none, i) => {
      const paint = PAINTS[mark]
      const sign = i > 0 || mark === ' ' || mark === '…' ? '│' : mark
      const one = paint.left((lefts[i] ?? '').padEnd(column))
      return `${one} ${sign} ${paint.right(rights[i] ?? '')}`.trimEnd()
    })
  })
}

function stacked(rows: readonly Row[], width: number): string[] {
  const lines = (sign: string, text: string, paint: Paint): string[] =>
    wrap(text, width - 2).map((piece, i) => paint(`${i === 0 ? sign : ' '} ${piece}`))
  return rows.flatMap(({ mark, left, right }) => {
    const paint = PAINTS[mark]
    const both = mark === ' ' || mark === '…'
    if (both) return lines(' ', left === '' ? right : left, paint.left)
    return [
      ...(mark === '>' ? [] : lines('<', left, paint.left)),
      ...(mark === '<' ? [] : lines('>', right, paint.right)),
    ]
  })
}

export function layOut(rows: readonly Row[], width: number): string[] {
  return width >= SIDE_BY_SIDE_WIDTH ? sideBySide(rows, width) : stacked(rows, width)
}

/** Wraps a text at `width`, indented by `indent`. */
export function fill(words: readonly string[], width: number, indent: string): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of words) {
    if (line.length > indent.length && line.length + word.length + 1 > width) {
      lines.push(line)
      line = indent
    }
    line += line === indent ? word : ` ${word}`
  }
  return [...lines, line]
}
