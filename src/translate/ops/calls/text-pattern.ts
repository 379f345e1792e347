import { escaped } from '../../../config/text.ts'

/** The text that a hole takes, by its name: characters of a class, how many, and a sample. Any other hole takes any part of a line. */
const KINDS: Readonly<Record<string, readonly [each: string, count: string, sample: string]>> = {
  id: ['[0-9a-f]', '{12,64}', '0a'.repeat(32)],
  n: ['\\d', '+', '1'],
  word: ['\\S', '+', 'a'],
  rest: ['[^]', '*', 'x'],
}
const kindOf = (hole: string) => KINDS[hole.replace(/(?<!\d)\d+$/, '')] ?? (['.', '*', 'x'] as const)

const HOLE = /\{(\w*)(?:=([^}]*))?\}/g

/**
 * The expression of a text with holes, `container {id} is {state=running|paused}`. A hole without choices ends
 * where the text after it first occurs: the time grows with the text and no faster.
 */
export function expressionOf(text: string, flags = ''): RegExp {
  // A literal, then for each hole its name, its choices and the literal after it.
  const parts = text.split(HOLE)
  const seen = new Set<string>()
  const sources = parts.map((literal = '', at) => {
    const [hole = '', choices, after = '', , nextChoices, afterNext = ''] = parts.slice(at + 1)
    if (at % 3 !== 0) return ''
    if (hole === '') return escaped(literal)
    if (seen.has(hole)) return `${escaped(literal)}\\k<${hole}>`
    seen.add(hole)
    const [each, count] = kindOf(hole)
    const end = nextChoices === undefined || after !== '' ? escaped(after) : oneOf(nextChoices) + escaped(afterNext)
    const any = at + 4 >= parts.length || end === '' ? each : `(?:(?!${end})${each})`
    return `${escaped(literal)}(?<${hole}>${choices === undefined ? any + count : oneOf(choices)})`
  })
  return new RegExp(`^${sources.join('')}$`, flags)
}

const oneOf = (choices: string): string => `(?:${choices.split('|').map(escaped).join('|')})`

/** The text with its holes filled; undefined if the value of one is. */
export function filled(text: string, fill: (hole: string) => string | undefined): string | undefined {
  const values = [...text.matchAll(HOLE)].map(([, hole = '']) => (hole === '' ? '' : fill(hole)))
  if (values.includes(undefined)) return undefined
  return text.replaceAll(HOLE, () => values.shift() ?? '')
}

/** Texts that the holes take, by their names. */
export function samplesFor(texts: readonly string[]): Map<string, string> {
  const holes = texts.flatMap((text) => [...text.matchAll(HOLE)])
  const some = holes.map(([, hole = '']) => [hole, kindOf(hole)[2]] as const)
  const chosen = holes.flatMap(([, hole = '', choices]) =>
    choices === undefined ? [] : [[hole, choices.split('|')[0] ?? ''] as const],
  )
  return new Map([...some, ...chosen])
}

/** A text that fits the pattern. */
export function sampleOf(text: string): string {
  const some = samplesFor([text])
  return filled(text, (hole) => some.get(hole)) ?? ''
}
