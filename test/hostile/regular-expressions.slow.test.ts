import { describe, expect, it } from 'vitest'
import { type Attack, attacksOn, least, regularExpressions, textOf } from '../support/regular-expressions.ts'

const SMALL = 4 * 1024
const MEBIBYTE = 1 << 20

/** A small text that takes longer is tried again, four times as long. */
const SUSPICIOUS_MS = 0.7
/** The allowed growth for four times the text: 4 is linear, 16 is quadratic. */
const GROWTH = 9
/** The time for a mebibyte, as a multiple of a look at each of its characters: to replace each takes some hundred times as long. */
const RATIO = 2000

const run = (expression: RegExp, text: string): void => {
  expression.lastIndex = 0
  if (expression.global) text.replace(expression, '')
  else expression.test(text)
}

const plain = /[^\s\S]|[\u{10ffff}]/u

function hardest(expression: RegExp): { attack: Attack; ms: number; grows: boolean } {
  let worst: { attack: Attack; ms: number } = { attack: { before: '', piece: 'a', after: '' }, ms: 0 }
  for (const attack of attacksOn(expression)) {
    const text = textOf(attack, SMALL)
    let ms = least(() => run(expression, text), 1)
    if (ms > SUSPICIOUS_MS)
      ms = Math.min(
        ms,
        least(() => run(expression, text), 4),
      )
    if (ms > worst.ms) worst = { attack, ms }
    if (ms > SUSPICIOUS_MS) {
      const longer = textOf(attack, 4 * SMALL)
      if (least(() => run(expression, longer), 2) > GROWTH * ms) return { attack, ms, grows: true }
    }
  }
  return { ...worst, grows: false }
}

/** Sources whose expressions read only the project's own texts, or the environment: pages, fake engine, demonstration, usage lines. */
const OURS =
  /^src\/(?:proxy\/settings\/environment-names|cli\/(?:commands\/demo|arguments|docs|explain)|tools\/(?:demo|fake-engine|inspect\/page))/

describe('every regular expression', () => {
  const found = regularExpressions('{src,rules}/**/*.ts').filter(({ name }) => !OURS.test(name))

  it('of the source is found', () => {
    expect(found.length).toBeGreaterThan(250)
  })

  it('takes a time that grows with its text and no faster, whatever the text', () => {
    const slow: string[] = []
    const look = least(() => plain.test('a'.repeat(MEBIBYTE)), 9)
    for (const { name, expression } of found) {
      const { attack, grows } = hardest(expression)
      if (grows) slow.push(`${name}: ${JSON.stringify(attack)}`)
      else {
        // in steps, so that quadratic work is found before it has taken minutes
        for (const length of [MEBIBYTE >> 4, MEBIBYTE]) {
          const text = textOf(attack, length)
          const ratio = least(() => run(expression, text), 2) / look
          if (ratio <= RATIO) continue
          slow.push(`${name}: ${Math.round(ratio)} times a look at ${length} characters, ${JSON.stringify(attack)}`)
          break
        }
      }
    }
    expect(slow).toEqual([])
  }, 600_000)
})
