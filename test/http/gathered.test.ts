import { expect, it } from 'vitest'
import { Gathered } from '../../src/http/gathered.ts'

it('holds small and large pieces in turn in little more than their size, and in their order', () => {
  const gathered = new Gathered()
  const large = Buffer.alloc(1024, 'b')
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 4096; i++) {
    gathered.add(Buffer.from(String(i % 10)), true)
    gathered.add(large, true)
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * gathered.size)
  const expected = Array.from({ length: 4096 }, (_, i) => `${i % 10}${large}`).join('')
  expect(gathered.whole().toString() === expected).toBe(true)
})
