import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { untranslated } from '../../rules/untranslated.ts'

interface KnownChange {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly gate: string
}

/** The differences between 1.18 and 1.57 that are known; the gate as the survey of the engines' sources names it. */
const known = JSON.parse(readFileSync(new URL('../golden/changes.json', import.meta.url), 'utf8')) as KnownChange[]
const ids = new Set(known.map(({ id }) => id))
const translated = new Set(changes.map(({ id }) => id))
const left = untranslated.map(({ id }) => id)

describe('completeness of the rules', () => {
  it('has no id twice among the known differences', () => {
    expect(ids.size).toBe(known.length)
  })

  it('translates every known difference or says why not', () => {
    const missing = [...ids].filter((id) => !translated.has(id) && !left.includes(id))
    expect(missing).toEqual([])
  })

  it('does not both translate a difference and list it as untranslated', () => {
    expect(left.filter((id) => translated.has(id))).toEqual([])
  })

  it('lists no difference twice as untranslated', () => {
    expect(left.filter((id, i) => left.indexOf(id) !== i)).toEqual([])
  })

  it('gives a reason in words for each untranslated difference', () => {
    expect(untranslated.filter(({ reason }) => !/^\S.{19,}\S$/s.test(reason))).toEqual([])
  })

  it('has no rule and no reason for a difference that nobody knows', () => {
    expect([...translated, ...left].filter((id) => !ids.has(id))).toEqual([])
  })

  it('names each change after the version that it came with', () => {
    expect(known.filter(({ id, to }) => !id.startsWith(`${to}/`))).toEqual([])
  })
})
