import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasEscapedName, isObject, type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import { readAsGo } from '../../src/api/json/read.ts'

/** V8 12.8 and later (nodejs/node#63785): the first name, met in any text, is what it then takes the second for. */
const misread = [
  ['{"h":0,"\\\\":1}', '{"h":0,"\\"":2}'],
  ['{"h":0,"a\\\\":1}', '{"h":0,"a\\"":2}'],
  ['{"h":0,"Privile\\\\u0":1}', '{"h":0,"Privile\\u0067ed":true}'],
] as const

describe('a name that V8 takes for one that it met before', () => {
  it.each(misread)('is read as it is written: after %s, %s', (before, text) => {
    const name = /"h":0,("[^:]*"):/.exec(text)?.[1] ?? ''
    for (const read of [parseJson, (one: string) => readAsGo(one).value]) {
      read(before)
      JSON.parse(before)
      expect(writeJson(read(text) ?? null)).toBe(text.replace(name, () => JSON.stringify(JSON.parse(name))))
    }
  })

  it.skipIf(process.version.startsWith('v22.'))(
    'is what happens: once this fails, the reader of our own can go',
    () => {
      const [before, text] = misread[0]
      // In a context of its own no other test has met names. What it met is forgotten when garbage is collected.
      const twice = 'Array.from({ length: 20 }, () => [JSON.parse(before), JSON.stringify(JSON.parse(text))][1])'
      expect(Array.from(runInNewContext(twice, { before, text }))).toContain('{"h":0,"\\\\":2}')
    },
  )

  it.each([
    ['{"a":"\\"b\\\\"}', false],
    ['{"a":"\\"" , "b" : ["\\n:"] }', false],
    ['{"a\\u003c":1}', true],
    ['{"a":{"\\"" \n: 1}}', true],
    ['["\\\\",{"\\\\":1}]', true],
    ['"\\\\', false],
  ])('is looked for only where a name has an escape: %s %s', (text, expected) => {
    expect(hasEscapedName(text)).toBe(expected)
  })

  it('does not make anything else of a text: numbers, order, members that come twice, what is no JSON', () => {
    const text =
      '{"\\u0062":9223372036854771712,"a":[1,-0.5,true,null,{}],"":"\\u20ac\\"","b":18446744073709551615,"__proto__":{"x":1}}'
    expect(writeJson(parseJson(text))).toBe(
      '{"b":18446744073709551615,"a":[1,-0.5,true,null,{}],"":"\u20ac\\"","__proto__":{"x":1}}',
    )
    expect(() => parseJson('{"\\"":1,}')).toThrow(SyntaxError)
    expect(() => parseJson('{"\\x":1}')).toThrow(SyntaxError)
  })

  it('is read however deep it stands', () => {
    const depth = 100_000
    const value = parseJson(`${'{"\\"":['.repeat(depth)}1${']}'.repeat(depth)}`)
    let inside: JsonValue | undefined = value
    for (let i = 0; i < depth; i++) {
      const list: JsonValue | undefined = isObject(inside) ? inside['"'] : undefined
      inside = Array.isArray(list) ? list[0] : undefined
    }
    expect(inside).toBe(1)
  })

  it('is read in any JSON as it is written, whatever was read before', () => {
    const name = fc.string({ unit: fc.constantFrom('\\', '"', 'a', '\n', '\u00e9', 'u'), maxLength: 3 })
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        name,
        fc.integer(),
        fc.constant(null),
        fc.array(fc.tuple(name, tie('value'))).map((members) => ({ members })),
      ),
    }))
    /** Written by hand, with every name kept, so that nothing has parsed them before. */
    const written = (one: unknown): string => {
      if (typeof one !== 'object' || one === null) return JSON.stringify(one)
      const { members } = one as { readonly members: readonly (readonly [string, unknown])[] }
      const last = new Map(members)
      return `{${[...last].map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join(',')}}`
    }
    fc.assert(
      fc.property(value, (one) => {
        const text = written(one)
        expect(writeJson(parseJson(text))).toBe(text)
      }),
      { numRuns: 3000 },
    )
  })
})
