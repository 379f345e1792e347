import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'

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

/** V8's own way, for every number of the text. */
const exactly = (text: string): unknown =>
  JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value,
  )

test('beside a long number every other that a double cannot hold keeps its spelling too: fractions, exponents, twins', () => {
  const long = fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n }).map(String)
  const around = fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 8n }).map(String) // two or three are one double
  const literal = fc.oneof(
    long,
    around,
    long.map((digits) => `-${digits}`),
    long.map((digits) => `${digits}.5`),
    fc.constantFrom('1e20', '100000000000000000000', '1E+20', '1.5e300', '1e-7', '0.50', '1.5', '-0', '7', '1.0'),
  )
  const text = fc.oneof(long, around, literal, padding).map((said) => JSON.stringify(said))
  const name = text.filter((written) => !written.includes('\\')) // JSON.parse may misread it
  const member = fc.tuple(fc.oneof(name, fc.constant('"__proto__"')), fc.oneof(literal, text, fc.constant('null')))
  const object = fc.array(member, { maxLength: 6 }).map((all) => `{${all.map((pair) => pair.join(':')).join(',')}}`)
  const list = fc.array(fc.oneof(literal, object), { maxLength: 5 }).map((all) => `[ ${all.join(', ')}]`)
  fc.assert(
    fc.property(fc.oneof(object, list, literal), long, (inside, number) => {
      const written = `{"first":${inside},"timeNano":${number}}`
      expect(writeJson(parseJson(written))).toBe(JSON.stringify(exactly(written)))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '9007199254740993',
  '-18446744073709551615',
  '"9007199254740993"',
  '12345678901234567.5',
  '1234567890123456e4',
])('a text that is one value and no object keeps it: %s', (text) => {
  expect(writeJson(parseJson(text))).toBe(text)
})
