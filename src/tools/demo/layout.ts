import { styleText } from 'node:util'
import { align, folded, type Row } from '../inspect/page/js/diff.js'

/** Two versions of a message side by side (or, on narrow terminals, interleaved), with the differences marked. */

/** `note`: a text in place of omitted lines. */
export interface Line {
  readonly mark: Row['mark'] | 'note'
  readonly left: string
  readonly right: string
}

/** Equal lines shown beside a difference; shorter runs of them are not omitted. */
const CONTEXT = 1
const SHORT_RUN = 7
/** Limit of lines shown per message. */
const MAX_LINES = 40
/** Limit of lines for one wrapped line. */
const LONGEST_WRAP = 3
export const SIDE_BY_SIDE_WIDTH = 100
const WIDEST = 180

/** Compares the lines of both sides. Omits equal lines far from a difference, but not the first one. */
export function compare(left: readonly string[], right: readonly string[]): Line[] {
  // A trailing comma only shows that another member follows.
  const bare = (line: string): string => line.replace(/,$/, '')
  const [first, ...rest] = align(left.map(bare), right.map(bare))
  const lines: Line[] = first === undefined ? [] : [first]
  for (const piece of folded(rest, CONTEXT))
    if (!('hidden' in piece)) lines.push(piece)
    else if (piece.hidden.length <= SHORT_RUN) lines.push(...piece.hidden)
    else lines.push(note(`… ${piece.hidden.length} equal lines`))
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES), note(`… and ${lines.length - MAX_LINES} more lines`)]
}

const note = (text: string): Line => ({ mark: 'note', left: text, right: text })

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

type Style = Parameters<typeof styleText>[0]

const MARKS: Readonly<Record<Line['mark'], readonly [sign: string, left: Style, right: Style]>> = {
  same: ['│', [], []],
  changed: ['~', 'yellow', 'yellow'],
  client: ['<', 'green', []],
  engine: ['>', [], 'magenta'],
  note: ['│', 'dim', 'dim'],
}

function sideBySide({ mark, left, right }: Line, width: number): string[] {
  const column = Math.floor((Math.min(width, WIDEST) - 3) / 2)
  const [lefts, rights] = [wrap(left, column), wrap(right, column)]
  const [sign, leftStyle, rightStyle] = MARKS[mark]
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_none, i) => {
    const piece = styleText(leftStyle, (lefts[i] ?? '').padEnd(column))
    return `${piece} ${i > 0 ? '│' : sign} ${styleText(rightStyle, rights[i] ?? '')}`.trimEnd()
  })
}

function stacked({ mark, left, right }: Line, width: number): string[] {
  const [, leftStyle, rightStyle] = MARKS[mark]
  const lines = (sign: string, text: string, style: Style): string[] =>
    wrap(text, width - 2).map((piece, i) => styleText(style, `${i === 0 ? sign : ' '} ${piece}`))
  if (mark === 'same' || mark === 'note') return lines(' ', left === '' ? right : left, leftStyle)
  return [
    ...(mark === 'engine' ? [] : lines('<', left, leftStyle)),
    ...(mark === 'client' ? [] : lines('>', right, rightStyle)),
  ]
}

export const layOut = (lines: readonly Line[], width: number): string[] =>
  lines.flatMap((line) => (width >= SIDE_BY_SIDE_WIDTH ? sideBySide(line, width) : stacked(line, width)))
