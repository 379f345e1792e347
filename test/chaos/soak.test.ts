import { describe, expect, it } from 'vitest'
import { growth, notFlat, type Rest } from './flat.ts'
import { soak } from './soak.ts'

const MB = 2 ** 20

/** Forty rests, 5,000 calls apart, with noise that no program is without. */
const rests = (at: (rest: number) => Partial<Rest>): readonly Rest[] =>
  Array.from({ length: 40 }, (_, rest) => ({
    calls: 5_000 * (rest + 1),
    heapUsed: 30 * MB + (rest % 3) * 50_000,
    external: 8 * MB,
    rss: 120 * MB + (rest % 5) * 200_000,
    atWork: 190 * MB + (rest % 5) * 20 * MB,
    ...{ sockets: 3, descriptors: 24 },
    ...at(rest),
  }))

describe('what a soak judges', () => {
  it('is flat where memory only wavers', () => expect(notFlat(rests(() => ({})))).toEqual([]))

  it('is flat where memory grows in the warm-up alone', () => {
    const filling = rests((rest) => ({ heapUsed: 30 * MB + Math.min(rest, 9) * MB }))
    expect(notFlat(filling)).toEqual([])
  })

  it('is not flat where every hundredth call leaves 2 kB behind', () => {
    const leaking = rests((rest) => ({ heapUsed: 30 * MB + 5_000 * rest * 20 }))
    expect(growth(leaking, 'heapUsed').bytesPerCall).toBeCloseTo(20)
    expect(notFlat(leaking)).toEqual(['heapUsed grows by 20.0 bytes a call'])
  })

  it('is not flat where a rest has a descriptor more than the first', () => {
    const leaking = rests((rest) => ({ descriptors: rest === 39 ? 25 : 24 }))
    expect(notFlat(leaking)).toEqual(['after 200000 calls 25 descriptors are open at rest; there were 24'])
  })
})

it('rests with no call, socket or descriptor left over after each stretch of mixed calls', async () => {
  const {
    rests: seen,
    wrong,
    ...counts
  } = await soak({
    ...{ ms: 9_000, stretchMs: 3_000, seed: 20_261_121, clients: 8, thinkMs: 50 },
  })
  const heaps = seen.map(({ heapUsed }) => Math.round(heapUsed / MB))
  process.stdout.write(
    `soak: ${JSON.stringify({ ...counts, rests: seen.length, heapsMB: heaps, wrong: wrong.length })}\n`,
  )
  expect(wrong).toEqual([])
  expect(counts.calls).toBeGreaterThan(50)
  expect(seen.length).toBeGreaterThan(1)
}, 180_000)
