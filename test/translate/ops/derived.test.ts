import { describe, expect, it } from 'vitest'
import { apiVersion } from '../../../src/api/version.ts'
import { byClient } from '../../../src/translate/ops.ts'

describe('byClient', () => {
  const history = byClient({ '1.21': 'newer', '1.18': 'older' })

  it.each([
    [17, undefined],
    [18, 'older'],
    [20, 'older'],
    [21, 'newer'],
    [56, 'newer'],
  ])('gives the value of the highest version up to 1.%i: %s', (client, value) => {
    expect(history.for(apiVersion(client))).toBe(value)
  })

  it('refuses a key that is not an API version', () => {
    expect(() => byClient({ '1.x': 1 } as never)).toThrow(/invalid API version "1\.x": expected one such as 1\.24/)
  })
})
