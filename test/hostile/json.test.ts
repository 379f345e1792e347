import { describe, expect, it } from 'vitest'
import { isObject, writeJson } from '../../src/api/json/json.ts'
import { fieldOf, foldName, Names, respell } from '../../src/api/json/names.ts'
import { readAsGo } from '../../src/api/json/read.ts'
import { MAX_DEPTH } from '../../src/api/json/reader.ts'

/** The client's text, the value that engines read (tried on 20.10 and 28.5), and whether the bridge has to rewrite it. */
const TEXTS: readonly [what: string, text: string, understood: string | undefined, ambiguous: boolean][] = [
  ['one member', '{"a":1}', '{"a":1}', false],
  ['a number twice', '{"Memory":1,"Memory":2}', '{"Memory":2}', true],
  ['an object twice', '{"H":{"Memory":1},"H":{"Privileged":true}}', '{"H":{"Memory":1,"Privileged":true}}', true],
  ['the same member in both', '{"H":{"M":1},"H":{"M":2}}', '{"H":{"M":2}}', true],
  ['a list twice', '{"Binds":["/a:/a"],"Binds":["/b:/b"]}', '{"Binds":["/b:/b"]}', true],
  ['null after a value', '{"Memory":6291456,"Memory":null}', '{"Memory":6291456}', true],
  ['an escaped name', '{"a":1,"\\u0061":2}', '{"a":2}', true],
  ['twice within a list', '[{"a":1,"a":"x"}]', '[{"a":"x"}]', true],
  ['colons in strings', '{"a":"x:y\\":z","b":"{\\"c\\":1}"}', '{"a":"x:y\\":z","b":"{\\"c\\":1}"}', false],
  ['a backslash at the end of a string', '{"a":"\\\\","a":"\\\\\\""}', '{"a":"\\\\\\""}', true],
  ['halves of surrogate pairs', '{"\\ud800":"a\\udfffb"}', '{"\ufffd":"a\ufffdb"}', false],
  ['two halves, which are one name', '{"\\ud800":1,"\\udfff":2}', '{"\ufffd":2}', true],
  ['a second value', '{"a":1}{"b":2}', '{"a":1}', false],
  ['garbage after the value', '{"a":1} x', '{"a":1}', false],
  ['garbage after a value said twice', '{"a":1,"a":2} {', '{"a":2}', true],
  ['__proto__ twice', '{"__proto__":{"x":1},"__proto__":{"y":2}}', '{"__proto__":{"x":1,"y":2}}', true],
  ['constructor', '{"constructor":{"prototype":{"x":1}}}', '{"constructor":{"prototype":{"x":1}}}', false],
  ['toString twice', '{"toString":1,"toString":2}', '{"toString":2}', true],
  ['1e400', '{"Memory":1e400}', '{"Memory":1e400}', false],
  ['-1E+999', '{"Memory":-1E+999}', '{"Memory":-1E+999}', false],
  ['1e400 twice', '{"a":1,"a":1e400}', '{"a":1e400}', true],
  ['64 bits', '{"a":9223372036854771712}', '{"a":9223372036854771712}', false],
  ['a number before garbage', '0 "a":1,"a":2', '0', false],
  ['no JSON', '{"a":', undefined, false],
  ['nothing', '', undefined, false],
]

describe('a request body is read as an engine reads it', () => {
  it.each(TEXTS)('%s: %s', (_what, text, understood, ambiguous) => {
    const read = readAsGo(text)
    expect(read.value === undefined ? undefined : writeJson(read.value)).toBe(understood)
    expect(read.ambiguous).toBe(ambiguous)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s nested 100,000 deep are refused and no stack overflows', (_what, open, close) => {
    const nested = (depth: number): string => open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth)
    expect(() => readAsGo(nested(100_000))).toThrow(/nested deeper than 1000 levels/)
    expect(() => readAsGo(nested(MAX_DEPTH + 1))).toThrow(/nested deeper/)
    expect(writeJson(readAsGo(nested(MAX_DEPTH)).value ?? null)).toBe(nested(MAX_DEPTH))
  })

  it('what unsets a structure, a map or a list unsets it, and leaves what else there is alone', () => {
    const text = '{"a":{"x":1},"b":[1],"c":1,"d":"x","e":true,"a":null,"b":null,"c":null,"d":null,"e":null}'
    expect(writeJson(readAsGo(text).value ?? null)).toBe('{"a":null,"b":null,"c":1,"d":"x","e":true}')
  })

  it.each([
    ['{"M":1,"m":2}', 2],
    ['{"m":1,"M":2}', 2],
    ['{"M":1,"m":2,"M":3}', 3],
    ['{"m":1,"M":2,"\\u006d":3}', 3],
    ['{"M":1,"M":2,"m":3}', 3],
    ['{"M":1,"m":2,"M":3,"m":4}', 4],
  ])('of several spellings the last one counts, where one is there twice too: %s', (text, expected) => {
    const { value } = readAsGo(text)
    if (value === undefined || !isObject(value)) throw new Error('no object')
    expect(respell(value, new Names(['M']))).toBe(true)
    expect(value).toEqual({ M: expected })
  })

  it.each([
    ['{"H":{"x":0},"H":{"M":1,"m":2,"M":3}}', 3],
    ['{"H":{"m":1},"H":{"M":2},"H":{"m":3}}', 3],
    ['{"H":{"M":1,"m":2},"H":{"M":3},"H":{"m":4}}', 4],
    ['{"H":{"m":1,"M":2},"h":{"m":3}}', 3],
    ['{"h":{"m":1,"M":2},"H":{"m":3},"h":{"M":4}}', 4],
  ])('and so in an object that came more than once, in any spelling: %s', (text, expected) => {
    const { value } = readAsGo(text)
    if (value !== undefined && isObject(value)) respell(value, new Names(['H']))
    const inner = isObject(value ?? null) ? fieldOf(value, 'H') : undefined
    if (inner === undefined || !isObject(inner)) throw new Error('no object')
    expect(respell(inner, new Names(['M']))).toBe(true)
    expect(inner['M']).toBe(expected)
  })

  it('of objects that repeat each other at each level is refused before it holds up other calls', () => {
    const members = Array.from({ length: 2000 }, (_, i) => `"k${i}":1`).join(',')
    const path = (depth: number): string => `${'{"x":'.repeat(depth)}{}${'}'.repeat(depth)}`
    let nested = `{${members}}`
    for (let depth = 0; depth < 400; depth++) nested = `{"x":${path(depth)},"x":${nested}}`
    expect(() => readAsGo(nested)).toThrow('the JSON repeats objects too often')
  })

  it('names are folded as Go folds them, the long s and the Kelvin sign included', () => {
    expect(['HostConfig', 'hostconfig', 'Hoſtconfig', 'HOSTCONFIG'].map(foldName)).toEqual(Array(4).fill('hostconfig'))
    expect(foldName('NetworKMode')).toBe('networkmode') // U+212A
    expect(foldName('İd')).not.toBe('id')
  })
})
