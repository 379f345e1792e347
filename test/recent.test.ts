import { expect, it } from 'vitest'
import { Recent } from '../src/api/recent.ts'

it('forgets the entries set first', () => {
  const recent = new Recent<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...recent]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})
