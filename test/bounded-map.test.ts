import { expect, it } from 'vitest'
import { BoundedMap } from '../src/api/bounded-map.ts'

it('forgets the entries set first', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})
