import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/proxy/settings/config.ts'

/** Node's timers end after 2^31 - 1 ms; longer ones fire at once: with `--connect-timeout 30d` every call got 503. */
describe('a timeout that is longer than a timer can run', () => {
  it.each(['header', 'body', 'connect', 'answer'])('is refused: --%s-timeout', (name) => {
    const flag = `--${name}-timeout`
    expect(() => readConfig([flag, '30d'], {})).toThrow(`${flag}: at most 24d`)
    expect(readConfig([flag, '24d'], {})).toMatchObject({ [`${name}-timeout`]: 24 * 86_400_000 })
  })

  it.each(['audit-rotate-age', 'idle-timeout'] as const)('is none where a clock is read: --%s', (name) => {
    expect(readConfig(['--audit-log', '/a.log', `--${name}`, '30d'], {})[name]).toBe(30 * 86_400_000)
  })
})
