import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAsGo } from '../../src/api/validation/go-json.ts'

/** What encoding/json's Decoder says of each. */
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
]

describe('JSON as the engines read it', () => {
  for (const [text, error] of ERRORS) {
    it(`${JSON.stringify(text)} is refused in Go's words`, () => expect(decodeAsGo(text)).toEqual({ error }))
  }

  it('what follows the first value is not looked at', () => {
    expect(decodeAsGo('{"a":[1,-2.5e3,"\\u00e9",true,null]} garbage')).toEqual({
      end: '{"a":[1,-2.5e3,"\\u00e9",true,null]}'.length,
    })
  })

  it('accepts whatever JSON.stringify writes, to its end', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(decodeAsGo(text)).toEqual({ end: text.length })
      }),
    )
  })

  it('refuses just what JSON.parse refuses, but for what follows', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0-1.etrufalsn\\ \n') }), (text) => {
        const decoded = decodeAsGo(text)
        const first = 'end' in decoded ? text.slice(0, decoded.end) : text
        const parses = (): unknown => JSON.parse(first)
        if ('end' in decoded) expect(parses).not.toThrow()
        else expect(parses).toThrow(SyntaxError)
      }),
    )
  })

  it('does not fall over a body that is nested without end', () => {
    expect(decodeAsGo('['.repeat(1_000_000))).toEqual({ error: 'exceeded max depth' })
  })
})
