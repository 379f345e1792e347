import { expect, it } from 'vitest'
import { codeOf, reasonOf } from '../src/config/text.ts'

it('takes the reason of a failure from the code of a system error, and else from its message', () => {
  expect(reasonOf(Object.assign(new Error('connect ENOENT /x'), { code: 'ENOENT' }))).toBe('ENOENT')
  const late = new DOMException('no answer within 2 s', 'TimeoutError') // its code is a number
  expect(codeOf(late)).toBe('')
  expect(reasonOf(late)).toBe('no answer within 2 s')
  expect(reasonOf('said')).toBe('said')
})
