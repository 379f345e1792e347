import { expect, it } from 'vitest'
import { ByteCollector } from '../../src/http/byte-collector.ts'

it('holds lent pieces of a body of megabytes in a few blocks, and none once it is cleared', () => {
  const collector = new ByteCollector()
  const lent = Buffer.alloc(60_000)
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 100; i++) collector.add(lent.fill(i), true)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * collector.size)
  const whole = collector.whole()
  expect(whole.length).toBe(6_000_000)
  expect(Array.from({ length: 100 }, (_, i) => whole[i * 60_000 + 59_999])).toEqual(
    Array.from({ length: 100 }, (_, i) => i),
  )
  collector.clear()
  expect(collector.whole()).toHaveLength(0)
})

it('holds small and large pieces in turn in little more than their size, and in their order', () => {
  const collector = new ByteCollector()
  const large = Buffer.alloc(1024, 'b')
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 4096; i++) {
    collector.add(Buffer.from(String(i % 10)), true)
    collector.add(large, true)
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * collector.size)
  const expected = Array.from({ length: 4096 }, (_, i) => `${i % 10}${large}`).join('')
  expect(collector.whole().toString() === expected).toBe(true)
})
