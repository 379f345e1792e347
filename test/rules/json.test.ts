import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonValue, parseJson, writeJson } from '../../src/translate/json.ts'

const padding = fc.string({ unit: fc.constantFrom('a', 'f', '0', '9', '"', '\\', ' ', ':', 'é'), maxLength: 40 })
const number = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String)

test('a number of any length keeps its digits wherever it stands, beside ids that look like numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(padding, number), { maxLength: 12 }), fc.boolean(), (members, spaced) => {
      const gap = spaced ? ' ' : ''
      const text = (space: string): string =>
        `{${members.map(([name, n], i) => `${JSON.stringify(`${name}.${i}`)}:${space}[${space}${n},${n}]`).join(',')}}`
      expect(writeJson(parseJson(text(gap)))).toBe(text(''))
    }),
  )
})

test('a digest of digits alone is no long number: it comes back as it was', () => {
  const value: JsonValue = { Id: '1234567890'.repeat(6), Image: `sha256:${'9'.repeat(64)}`, n: 1 }
  expect(parseJson(JSON.stringify(value))).toEqual(value)
})
