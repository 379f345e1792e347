import { describe, expect, it } from 'vitest'
import { bindChange, type Example, examplesOf } from '../../../src/translate/change.ts'
import { errorTexts } from '../../../src/translate/ops/calls/error-texts.ts'
import { expressionOf, filled } from '../../../src/translate/ops/calls/text-pattern.ts'

const madeOf = (table: string): readonly Example[] =>
  examplesOf(bindChange('1.22/x', { summary: 'x', see: 'x', ops: errorTexts(table) }))

describe('a table of error texts', () => {
  it('makes an example of each row for each way that it has', () => {
    const made = madeOf(`
      ContainerKill ContainerStop
        # a comment
        409 container {word} is {state=paused|dead}
        409 container {word} is gone
          500 Container {word} is {state}
          1.19
        404 none
          up 404 {}
    `)
    expect(made.map(({ leg, client, before, after }) => [leg, client, before, after])).toEqual([
      ['responseDown', undefined, at(409, 'container a is paused'), at(500, 'Container a is paused')],
      ['responseUp', undefined, at(500, 'Container a is paused'), at(409, 'container a is paused')],
      ['responseDown', '1.19', at(409, 'container a is paused'), at(409, 'container a is paused')],
      ['responseUp', undefined, at(404, ''), at(404, 'none')],
    ])
  })

  it('names only operations that exist', () => {
    expect(() => errorTexts('ContainerKill Nonesuch')).toThrow('no operation is called Nonesuch')
  })
})

const at = (status: number, text: string) => ({ status, text })

describe('a text with holes', () => {
  const found = (text: string, said: string) => expressionOf(text).exec(said)?.groups

  it('takes any part of a line, a word, a number, an id, one of several texts or the rest', () => {
    expect({ ...found('a {x} b {word} c {n}', 'a 1 2 b 3 c 4') }).toEqual({ x: '1 2', word: '3', n: '4' })
    expect(found('a {word}', 'a b c')).toBeUndefined()
    expect(found('a {x}', 'a b\nc')).toBeUndefined()
    expect({ ...found('a {rest}', 'a b\nc') }).toEqual({ rest: 'b\nc' })
    expect({ ...found('{x}{q="|}: {id}', 'a": 0123456789ab') }).toEqual({ x: 'a', q: '"', id: '0123456789ab' })
    expect(found('{x} is {x}', 'a is b')).toBeUndefined()
  })

  it('is filled, unless a hole has no value', () => {
    expect(filled('a {x} b{}', (hole) => hole.toUpperCase())).toBe('a X b')
    expect(filled('a {x}', () => undefined)).toBeUndefined()
  })

  it('takes a time that grows with what an engine says and no faster', () => {
    const expression = expressionOf('{x} (tag: {y}) {word}: {rest}end')
    const start = performance.now()
    for (const piece of [' (tag: ', ') ', ': ', 'a', 'end']) expression.test(piece.repeat(200_000))
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
