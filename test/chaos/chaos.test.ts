import { expect, it } from 'vitest'
import { chaos } from './chaos.ts'

it('keeps its accounts while engine and clients are killed at random', async () => {
  const { wrong, ...counts } = await chaos({ ms: 6_000, seed: 20_261_121, clients: 16 })
  process.stdout.write(`chaos: ${JSON.stringify({ ...counts, byKind: undefined })}\n`)
  expect(wrong).toEqual([])
  expect(counts.calls).toBeGreaterThan(100)
  expect(counts.enginesKilled).toBeGreaterThan(0)
}, 120_000)
