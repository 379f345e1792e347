import { expect, it } from 'vitest'
import { progress } from '../../src/cli/words/progress.ts'
import { type CapturedIo, captured } from '../support/io.ts'

/** A clock that advances by a second on each reading. */
const seconds = (): (() => number) => {
  let time = 0
  return () => 1000 * time++
}

/** The text written so far at each item, and at the end. */
async function said(io: CapturedIo, now: () => number): Promise<string[]> {
  const heard: string[] = []
  for await (const _ of progress([1, 2, 3], io, (done) => `played ${done} of 3 calls`, now)) heard.push(io.err())
  return [...heard, io.err()]
}

it('is told on a terminal after two seconds, and taken away at the end', async () => {
  const heard = await said(captured({ isTTY: true }), seconds())
  expect(heard.slice(0, 3)).toEqual(['', '', '\r\u001b[Kplayed 2 of 3 calls'])
  expect(heard.at(-1)?.endsWith('\r\u001b[K')).toBe(true)
})

it('is not told in a pipe, nor taken away where it was not told', async () => {
  expect(await said(captured(), seconds())).toEqual(['', '', '', ''])
  expect(await said(captured({ isTTY: true }), () => 0)).toEqual(['', '', '', ''])
})
