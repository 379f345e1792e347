import { afterEach, describe, expect, it, vi } from 'vitest'
import { timestamp } from '../../src/audit/timestamp.ts'

afterEach(() => void vi.useRealTimers())

describe('the time of a record', () => {
  it('is RFC 3339 with microseconds, of now, and never before the one before it', () => {
    let last = ''
    for (let i = 0; i < 10_000; i++) {
      const time = timestamp()
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      expect(time >= last).toBe(true)
      last = time
    }
    expect(Math.abs(Date.parse(last) - Date.now())).toBeLessThan(1000)
  })

  it('follows the wall clock when that is set, over the border of a year too', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const wall of ['2031-12-31T23:59:59.990Z', '2032-01-01T00:00:00.010Z', '2019-02-28T12:00:00.004Z']) {
      vi.setSystemTime(new Date(wall))
      const time = timestamp()
      expect(Math.abs(Date.parse(time) - Date.parse(wall)), `${time} for ${wall}`).toBeLessThanOrEqual(3)
    }
  })
})
