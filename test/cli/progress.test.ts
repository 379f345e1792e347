import { expect, it } from 'vitest'
import { progress } from '../../src/cli/words/progress.ts'
import { captured } from '../support/io.ts'

/** A clock that each look moves on by a second. */
const seconds = (): (() => number) => {
  let time = 0
  return () => 1000 * time++
}

it('is told on a terminal after two seconds, and taken away at the end', () => {
  const io = captured({ isTTY: true })
  const { step, end } = progress(io, 'played', { of: 9, unit: 'calls' }, seconds())
  step()
  expect(io.err()).toBe('')
  step()
  expect(io.err()).toBe('\r\u001b[Kplayed 2 of 9 calls')
  end()
  expect(io.err().endsWith('\r\u001b[K')).toBe(true)
})

it('is not told in a pipe, nor taken away where it was not told', () => {
  const pipe = captured()
  const quick = captured({ isTTY: true })
  for (const io of [pipe, quick]) {
    const { step, end } = progress(io, 'read', { unit: 'lines' }, io === pipe ? seconds() : () => 0)
    for (let i = 0; i < 9; i++) step()
    end()
  }
  expect([pipe.err(), quick.err()]).toEqual(['', ''])
})
