import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteEditor } from '../../src/lanes/byte-editor.ts'
import { Finder } from '../../src/lanes/finder/finder.ts'
import { translateList } from '../../src/lanes/list.ts'
import { Pace } from '../../src/lanes/pace.ts'
import { type Edits, editsOf } from '../../src/translate/edits.ts'
import { isObject, type JsonObject } from '../../src/translate/json.ts'
import { seenEditsOf } from '../../src/translate/seen.ts'
import { finderModule, WRITTEN } from '../../wasm.ts'

const finder = Finder.shared as Finder
const edits = editsOf([
  { takesOut: 'out' },
  { takesOut: 'gone' },
  { takesOut: 'in.out' },
  { takesOut: 'all.{}.out' },
  { takesOut: 'list.[].out' },
  { takesOut: 'list.[].[].in' },
  { respells: 'up', spell: (value) => (typeof value === 'string' ? `${value}\u20ac` : undefined) },
  { respells: 'in.up', spell: (value) => (value === null ? 'new' : undefined) },
]) as Edits

/** What comes of an object and where it ends, by the finder and without it; `undefined` where it is left to the parser. */
function edited(text: string, by: Finder | null, of = edits): string | undefined {
  const bytes = Buffer.from(text)
  const editor = new ByteEditor(bytes, of, by)
  const end = editor.object(0)
  if (end === -1) return undefined
  const target = Buffer.alloc(end + editor.growth)
  return `${end}: ${target.toString('utf8', 0, editor.write(0, end, target, 0))}`
}

const names = fc.constantFrom(
  'out',
  'gone',
  'up',
  'in',
  'all',
  'list',
  'a',
  'ou',
  'oux',
  '',
  '"',
  '\\',
  '\u20ac\ud83d\ude00',
  'o\nt',
)
const texts = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', ':', ' ', '\n', '\u00e9', '\ud83d\ude00', 'Y', '_'),
  }),
  fc.integer({ min: 0, max: 70 }).map((length) => `${'x'.repeat(length)}"`),
)
const { object } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    texts,
    fc.double({ noNaN: true }),
    fc.constantFrom(null, true, [], {}),
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 7, noNullPrototype: true }),
}))
const spelled = fc
  .record({ object, space: fc.constantFrom(0, 1, 3, '\t') })
  .map(({ object, space }) => JSON.stringify(object, null, space))

const seen = seenEditsOf([
  { takesOut: 'out', run: () => undefined },
  { takesOut: 'in.out', run: () => undefined },
  { takesOut: 'all.{}.out', run: () => undefined },
  { sees: ['up', 'in.up', 'in.in.a', 'list'], run: () => undefined },
])?.edits as Edits

/** Everything that is seen becomes something else, and each object gets what it has not. */
function shown(text: string, by: Finder | null): string | undefined {
  const bytes = Buffer.from(text)
  const editor = new ByteEditor(bytes, seen, by)
  const end = editor.object(0)
  const changes = (object: JsonObject): void => {
    for (const name of Object.keys(object)) {
      const value = object[name]
      if ((name === 'in' || name === 'list') && isObject(value)) changes(value)
      else if (name !== 'in') object[name] = `${JSON.stringify(value)} in other words`
    }
  }
  if (end === -1 || !editor.show(changes)) return undefined
  const target = Buffer.alloc(end + editor.growth)
  return `${end}: ${target.toString('utf8', 0, editor.write(0, end, target, 0))}`
}

describe('the finder in WebAssembly', () => {
  it('is the one that finder.wat describes', async () => {
    expect(await readFile(WRITTEN, 'utf8'), 'npm run wasm').toBe(await finderModule())
  })

  it('finds what is found without it, in any JSON', () => {
    let found = 0
    fc.assert(
      fc.property(spelled, fc.constantFrom('', ',{"out":1}]', '"}', '\\'), (text, behind) => {
        const expected = edited(text + behind, null)
        expect(edited(text + behind, finder)).toBe(expected)
        const bytes = Buffer.from(text)
        const alone = finder.object(bytes, { from: 0, to: 0 }, 0, edits)
        if (expected === undefined) expect(alone).toBeUndefined()
        else if (alone !== undefined) found++
      }),
      { numRuns: 3000 },
    )
    expect(found).toBeGreaterThan(1000)
  })

  it('finds what steps see, and the ends of objects in which they do, as is found without it', () => {
    let found = 0
    fc.assert(
      fc.property(spelled, fc.constantFrom('', '"}', '\\'), (text, behind) => {
        const expected = shown(text + behind, null)
        expect(shown(text + behind, finder)).toBe(expected)
        if (expected !== undefined) found++
      }),
      { numRuns: 3000 },
    )
    expect(found).toBeGreaterThan(500)
  })

  it('finds what is found without it in what is no JSON: cut off, or with bytes that are others', () => {
    const bytes = fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\0', '1', '')
    fc.assert(
      fc.property(spelled, fc.nat(), bytes, fc.boolean(), (text, place, byte, cut) => {
        const at = place % text.length
        const broken = text.slice(0, at) + byte + (cut ? '' : text.slice(at + 1))
        if (broken.startsWith('{')) expect(edited(broken, finder)).toBe(edited(broken, null))
      }),
      { numRuns: 5000 },
    )
  })

  it('never looks behind the end of a body, whatever was there before', () => {
    edited(`{"a":"${'"}'.repeat(500)}"}`, finder)
    for (let length = 1; length < 70; length++)
      for (const text of [
        `{"a":"${'b'.repeat(length)}`,
        `{"a":"${'b'.repeat(length)}\\`,
        `{"a":${'['.repeat(length)}`,
        `{"a":${'1'.repeat(length)}`,
      ])
        expect(finder.object(Buffer.from(text), { from: 0, to: 0 }, 0, edits)).toBeUndefined()
  })

  it('edits lists that are larger than what it sees of them at once, and elements that are', async () => {
    const element = (i: number): string =>
      `{"a":"${'\u20ac'.repeat(i % 97)}","out":{"x":[${i}]},"up":"${i}","list":[{"out":"}"}],"in":{"up":null}}`
    const large = `{"a":"${'x'.repeat(300_000)}","out":1}`
    const all = Array.from({ length: 6000 }, (_, i) => (i % 2500 === 2000 ? large : element(i)))
    const bytes = Buffer.from(`[${all.join(', ')}]`)
    const by = (finder: Finder | null) =>
      translateList(bytes, undefined, new ByteEditor(bytes, edits, finder), new Pace())
    const [fast, slow] = [await by(finder), await by(null)]
    expect(bytes.length).toBeGreaterThan(1_000_000)
    expect(fast?.written.equals(slow?.written ?? Buffer.alloc(0))).toBe(true)
    expect(fast?.spans).toEqual(slow?.spans)
  })

  it('serves several bodies in turn', () => {
    const bodies = ['{"out":1,"a":2}', '{"a":"longer than the other","out":[1]}'].map((text) =>
      Buffer.from(`[${text},${text}]`),
    )
    const editors = bodies.map((bytes) => new ByteEditor(bytes, edits, finder))
    for (const which of ['first', 'second'])
      for (const [i, editor] of editors.entries()) {
        const bytes = bodies[i] ?? Buffer.alloc(0)
        const at = which === 'first' ? 1 : bytes.indexOf('},{') + 2
        const end = editor.object(at)
        const target = Buffer.alloc(bytes.length)
        expect(target.toString('utf8', 0, editor.write(at, end, target, 0))).toBe(
          ['{"a":2}', '{"a":"longer than the other"}'][i],
        )
      }
  })

  it('leaves to JavaScript what it has no room for, and makes room for edits by forgetting others', () => {
    const many = editsOf(Array.from({ length: 5000 }, (_, i) => ({ takesOut: `member${i}` }))) as Edits
    expect(finder.object(Buffer.from('{"member1":1}'), { from: 0, to: 0 }, 0, many)).toBeUndefined()
    expect(edited('{"member1":1,"a":2}', finder, many)).toBe('19: {"a":2}')
    const pieces = `{${Array.from({ length: 3000 }, () => '"out":1,"a":2').join(',')}}`
    expect(finder.object(Buffer.from(pieces), { from: 0, to: 0 }, 0, edits)).toBeUndefined()
    expect(edited(pieces, finder)).toBe(edited(pieces, null))
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 500; i++) {
        const some = editsOf([{ takesOut: `m${i}` }, { takesOut: `${'long'.repeat(i % 20)}.n${i}` }]) as Edits
        const bytes = Buffer.from(`{"m${i}":1,"m":2}`)
        expect(finder.object(bytes, { from: 0, to: 0 }, 0, some)?.pieces).toMatchObject([
          { from: 1, to: bytes.indexOf('"m"') },
        ])
        expect(finder.object(bytes, { from: 0, to: 0 }, 0, edits)?.pieces).toEqual([])
      }
  })
})
