import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpusOf } from './corpus.ts'
import { Coverage } from './coverage.ts'
import { fuzz, type Target } from './loop.ts'
import { targets } from './targets.ts'

/** A short run from the committed corpus; `npm run fuzz -- --minutes N` goes further and keeps what it finds. */
const MS = 1_000
const SEED = 20_261_121

describe('fuzzing', () => {
  const coverage = new Coverage()
  beforeAll(() => coverage.start())
  afterAll(() => coverage.stop())
  /** A target with a mutator of its own makes inputs from a grammar: it needs no coverage as a guide. */
  const coverageFor = ({ mutate }: Target): Coverage | undefined => (mutate === undefined ? coverage : undefined)

  it.each(targets.map((target) => [target.name, target] as const))(
    '%s: every promise is kept',
    async (_name, target) => {
      const { tried, found, failures } = await fuzz(target, corpusOf(target), coverageFor(target), {
        ms: MS,
        seed: SEED,
      })
      process.stdout.write(`fuzz ${target.name}: ${tried} inputs, ${found.length} with new coverage\n`)
      const told = failures.map(({ input, cause }) => `${JSON.stringify(input.toString('latin1'))}: ${String(cause)}`)
      expect(told).toEqual([])
      expect(tried).toBeGreaterThan(50)
    },
  )
})
