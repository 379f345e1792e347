import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setMember } from '../../../src/api/json/json.ts'
import { readFirst } from '../../../src/api/json/reader.ts'

const scan = (text: string) => readFirst(text, setMember)

/** The errors of encoding/json's Decoder. */
const ERRORS: readonly [text: string, error: string][] = [
  ['', 'EOF'],
  ['  \n', 'EOF'],
  ['{', 'unexpected EOF'],
  ['{"Image":', 'unexpected EOF'],
  ['"abc', 'unexpected EOF'],
  ['{bad', "invalid character 'b' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['notjson', "invalid character 'o' in literal null (expecting 'u')"],
  ['tree', "invalid character 'e' in literal true (expecting 'u')"],
  ['x', "invalid character 'x' looking for beginning of value"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['[1.]', "invalid character ']' after decimal point in numeric literal"],
  ['1e+x', "invalid character 'x' in exponent of numeric literal"],
  ['-', 'unexpected EOF'],
  ['2.', 'unexpected EOF'],
  ['[01]', "invalid character '1' after array element"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"\\', 'unexpected EOF'],
  ['"\u0001"', "invalid character '\\x01' in string literal"],
  // Go names a byte: the first one of the character.
  ['é', "invalid character 'Ã' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['😀', "invalid character 'ð' looking for beginning of value"],
]

describe('JSON as the engines read over it', () => {
  for (const [text, error] of ERRORS) {
    it(`${JSON.stringify(text)} is refused in Go's words`, () =>
      expect(scan(text)).toEqual({ kind: 'broken', words: error }))
  }

  it('text after the first value is not read', () => {
    expect(scan('{"a":[1,-2.5e3,"\\u00e9",true,null]} garbage')).toMatchObject({
      end: '{"a":[1,-2.5e3,"\\u00e9",true,null]}'.length,
    })
  })

  it('accepts whatever JSON.stringify writes, to its end', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(scan(text)).toEqual({ kind: 'value', value: JSON.parse(text), end: text.length })
      }),
    )
  })

  it('refuses just what JSON.parse refuses, but for what follows', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0-1.etrufalsn\\ \n') }), (text) => {
        const scanned = scan(text)
        const first = scanned.kind === 'value' ? text.slice(0, scanned.end) : text
        const parses = (): unknown => JSON.parse(first)
        if (scanned.kind === 'value') expect(parses).not.toThrow()
        else expect(parses).toThrow(SyntaxError)
      }),
    )
  })

  it('does not fall over a body that is nested without end', () => {
    expect(scan('['.repeat(1_000_000))).toMatchObject({ kind: 'beyond' })
  })
})
