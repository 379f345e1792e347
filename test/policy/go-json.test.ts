import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GoObject, type GoValue, parseAsGo } from '../../src/policy/go-json.ts'
import { hasEscapedName } from '../../src/translate/json-reader.ts'

const plain = (value: GoValue): unknown => {
  if (value instanceof GoObject) {
    // As JSON.parse does it, `__proto__` included.
    const object: Record<string, unknown> = {}
    for (const [key, one] of value.entries)
      Object.defineProperty(object, key, { value: plain(one), enumerable: true, configurable: true, writable: true })
    return object
  }
  return Array.isArray(value) ? value.map(plain) : value
}

/** By JSON.parse. */
const isReadWell = (text: string): boolean => !hasEscapedName(text)

describe('JSON as Go sees it', () => {
  it('is what JSON.parse makes of it, wherever no member is there twice', () => {
    fc.assert(
      fc.property(fc.json().filter(isReadWell), (text) => {
        expect(plain(parseAsGo(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('keeps members that are there twice, and does not say which one counts', () => {
    const value = parseAsGo('{"a":1,"A":2,"b":{"x":1,"x":2}}')
    if (!(value instanceof GoObject)) throw new Error('no object')
    expect(value.entries.map(([key]) => key)).toEqual(['a', 'A', 'b'])
    expect(() => value.get('a')).toThrow(/2 times/)
    expect(value.get('c')).toBeUndefined()
    expect(() => (value.get('b') as GoObject).map()).toThrow(/twice/)
  })

  it('is not confused by texts that look like structure', () => {
    const text = '{"a":"}],{\\"b\\":1","c\\\\":["\\u007b",-1.5e3,true,null]}'
    expect(plain(parseAsGo(text))).toEqual(JSON.parse(text))
  })

  it('takes deep nesting without a stack', () => {
    const depth = 5_000
    expect(parseAsGo(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toBeInstanceOf(Array)
  })

  it.each(['', '{', '{"a":1}x', "{'a':1}", '{"a":1,}', '\ufeff{}'])('refuses %j', (text) => {
    expect(() => parseAsGo(text)).toThrow(SyntaxError)
  })
})
