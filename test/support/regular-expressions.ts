import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseAst } from 'rolldown/parseAst'

export interface Found {
  /** `src/config/units.ts:20 /…/i` */
  readonly name: string
  readonly expression: RegExp
}

const ROOT = join(import.meta.dirname, '../..')

/** Every regular expression that the source writes out, but for what an example of a rule expects. */
export function regularExpressions(pattern: string): Found[] {
  return globSync(pattern, { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const found: Found[] = []
      collect(parseAst(text, { lang: 'ts' }, file), (expression, start) => {
        found.push({ name: `${file}:${text.slice(0, start).split('\n').length} ${expression}`, expression })
      })
      return found
    })
}

/** A node of the syntax tree, as far as it is looked at. */
interface Node {
  readonly type?: string
  readonly start?: number
  readonly key?: { readonly name?: string }
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

function collect(node: unknown, tell: (expression: RegExp, start: number) => void): void {
  if (typeof node !== 'object' || node === null) return
  const { type, start = 0, key, regex } = node as Node
  if (type === 'Property' && (key?.name === 'refused' || key?.name === 'examples')) return
  if (type === 'Literal' && regex !== undefined) tell(new RegExp(regex.pattern, regex.flags), start)
  else for (const child of Object.values(node)) collect(child, tell)
}

/** A text that is `before`, then `piece` over and over, then `after`. */
export interface Attack {
  readonly before: string
  readonly piece: string
  readonly after: string
}

export const textOf = ({ before, piece, after }: Attack, length: number): string =>
  before + piece.repeat(Math.max(1, Math.floor(length / piece.length))) + after

const PIECES = [
  'a',
  '0',
  ' ',
  '\n',
  '\r',
  '-',
  '=',
  '/',
  ':',
  '.',
  '"',
  "'",
  '\\',
  'a ',
  '- ',
  '%',
  'A',
  'a=',
  '*',
  '[',
  '{',
]
const MORE = ['@', '&', '|', '#', '(', ',', ';', '\t', '\x1b', '\u2028']
const ENDS = ['\u0001', '\n', '/', ':', '"', 'a', ' ', '0']

/** Texts that could be hard for an expression: its own matches with a part of them repeated, and an end that fits not. */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const texts = ['', ...matchesOf(source, flags)]
  const words = (source.match(/[\w ]{2,}/g) ?? []).slice(0, 6)
  const attacks: Attack[] = []
  const add = (before: string, piece: string): void => {
    if (piece === '') return
    const turning = ENDS[2 + (attacks.length % (ENDS.length - 2))] ?? ''
    for (const after of [ENDS[0] ?? '', ENDS[1] ?? '', turning]) attacks.push({ before, piece, after })
  }
  for (const text of texts) {
    for (let at = 0; at < text.length; at++)
      for (const length of [1, 2]) add(text.slice(0, at), text.slice(at, at + length))
    for (let length = 4; length <= text.length; length += 4) add('', text.slice(0, length))
    add('', text)
    for (const at of new Set([0, text.length >> 1, text.length]))
      for (const piece of [...PIECES, ...MORE, ...words]) add(text.slice(0, at), piece)
  }
  return attacks
}

/** fast-check makes them, but for what looks around; it looks for ever for a character that is none of its own. */
function matchesOf(source: string, flags: string): string[] {
  if (/\[\^[^\]]*\\x2[01]-/.test(source)) return []
  const looks = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]])*\]|[^()[\\]|\([^()]*\))*\)|(?<!\\)\\[bB]/g
  const plain = new RegExp(source.replace(looks, ''), flags.replace(/[gydi]/g, ''))
  const made = fc.sample(fc.stringMatching(plain), { numRuns: 3, seed: 7 })
  return [...new Set(made)].map((text) => text.slice(0, 60))
}

/** The least time of some runs, in milliseconds: what else the machine does only adds to it. */
export function least(work: () => void, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const began = performance.now()
    work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}
