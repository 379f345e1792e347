import { styleText } from 'node:util'
import { asPlainJson } from '../../config/text.ts'
import type { Io } from '../command.ts'

/** Plain text for a screen of some columns. */

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan'
type Paint = (style: Style, text: string) => string

/** Breaks a paragraph at blanks; every line but the first is set in by `indent`, and so is the first if `first` says so. */
export function fill(text: string, columns: number, indent = '', first = indent): string[] {
  const lines: string[] = []
  let line = first
  let empty = true
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = indent
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line]
}

/** How text looks where it is written. */
export interface Look {
  readonly columns: number
  readonly paint: Paint
}

/** `all`: nothing is left out. */
export interface WholeLook extends Look {
  readonly all: boolean
}

/** Colours for people on a terminal; NO_COLOR switches them off (no-color.org). */
export function lookOf({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Look {
  const plain = !stdout.isTTY || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  const paint: Paint = (style, text) =>
    plain || style === 'plain' ? text : styleText(style, text, { validateStream: false })
  return { columns: stdout.columns, paint }
}

/** A paragraph in one style. */
export const painted = ({ columns, paint }: Look, style: Style, text: string, indent = '', first = indent): string[] =>
  fill(text, columns, indent, first).map((line) => paint(style, line))

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /\x1b\[(?:1|2|22|3[1236]|39)m|\p{Cc}/gu

/** A line whose only control characters are our own styles: text of engines and files must not move the cursor. */
export const printable = (line: string): string =>
  line.replaceAll(CONTROL, (found) => (found.length > 1 ? found : '\uFFFD'))

/** Writes a result: as JSON for programs, else as lines. */
export function write({ stdout }: Pick<Io, 'stdout'>, json: object | undefined, lines: () => readonly string[]): void {
  const text = json === undefined ? lines().map(printable).join('\n') : asPlainJson(JSON.stringify(json, null, 2))
  stdout.write(`${text}\n`)
}

/** Rows in columns as wide as their widest cell; columns whose head begins with `>` stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const right = head.map((title) => title.startsWith('>'))
  const all = [head.map((title) => title.replace(/^>/, '')), ...rows]
  const widths = head.map((_title, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  const padded = (cell: string, i: number) => (right[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))
  return all.map((row) => row.map(padded).join('  ').trimEnd())
}

/** The same, its head dim, set in by `indent`. */
export const listing = ({ paint }: Look, indent: string, ...rows: Parameters<typeof table>): string[] =>
  table(...rows).map((line, i) => indent + (i === 0 ? paint('dim', line) : line))

/** A client's text before it gets styles of ours: it has no control characters, nor styles of its own. */
export const plain = (words: string): string => words.replaceAll(/\p{Cc}/gu, '\uFFFD')

export function cut(words: string, width: number): string {
  const shown = plain(words)
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown
}

/** Whole ids would fill the line. */
export const shortIds = (text: string): string => text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1')

export const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`
