import { describe, expect, test } from 'vitest'
import { playRow } from '../oracle/play.ts'
import { reasonOf } from '../oracle/reasons.ts'
import { assertions, SOURCES } from '../oracle/sources.ts'
import { onEngines, withBridge } from './support/suites.ts'

/** A few of all, other ones where rows are added: `npm run oracle` plays the rest. */
const EVERY = 60

describe('the oracle', () => {
  test('names where each assertion stands', () => {
    for (const { tags, rows } of SOURCES)
      for (const { ages } of rows) expect(Object.keys(tags)).toEqual(expect.arrayContaining([...ages]))
  })
})

await onEngines(['20.10'], (engine) => {
  const { socket } = withBridge(engine)
  const some = assertions().filter((_one, i) => i % EVERY === 0)
  test.each(some.map((one) => [`${one.row.test}: ${one.row.asks} at ${one.age}`, one] as const))(
    'what a test of its age asserts is so: %s',
    async (_name, { row, age }) => {
      const played = await playRow(socket, row, age)
      if (reasonOf(engine.name, played) === undefined) expect(played.differs).toBeUndefined()
    },
  )
})
