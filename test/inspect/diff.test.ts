import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align, differentPart, folded, type Row } from '../../src/tools/inspect/page/js/diff.js'
import { pretty } from '../../src/tools/inspect/page/js/pretty.js'

const lines = (text: string): string[] => text.split('\n')
const shown = (rows: readonly Row[]): string[] => rows.map(({ mark, left, right }) => `${mark}|${left}|${right}`)

describe('two messages side by side', () => {
  it('are aligned by what they have in common; a member that both have is changed, the rest stands on its side', () => {
    const left = lines('{\n  "Id": "1",\n  "VirtualSize": 7,\n  "Size": 7\n}')
    const right = lines('{\n  "Id": "2",\n  "Size": 7\n}')
    expect(shown(align(left, right))).toEqual([
      'same|{|{',
      'changed|  "Id": "1",|  "Id": "2",',
      'client|  "VirtualSize": 7,|',
      'same|  "Size": 7|  "Size": 7',
      'same|}|}',
    ])
  })

  it('do not differ by a comma alone', () => {
    expect(align(['"a": 1,'], ['"a": 1']).map(({ mark }) => mark)).toEqual(['same'])
  })

  const line = fc.constantFrom('{', '}', '  "a": 1,', '  "b": 2', '  "c": [],', '')
  it('hold every line of both, in order, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.array(line, { maxLength: 60 }), (left, right) => {
        const rows = align(left, right)
        expect(rows.filter(({ mark }) => mark !== 'engine').map((row) => row.left)).toEqual(left)
        expect(rows.filter(({ mark }) => mark !== 'client').map((row) => row.right)).toEqual(right)
      }),
    )
  })

  it('are aligned in time where they differ in thousands of places', () => {
    const left = Array.from({ length: 6_000 }, (_, i) => (i % 3 === 0 ? `"k${i}": "left"` : `"k${i}": 1`))
    const right = left.flatMap((one, i) => (i % 5 === 0 ? [] : [one.replace('left', 'right')]))
    const started = performance.now()
    const rows = align(left, right)
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(rows.filter(({ mark }) => mark !== 'engine').map((row) => row.left)).toEqual(left)
    expect(rows.filter(({ mark }) => mark !== 'client').map((row) => row.right)).toEqual(right)
    expect(rows.filter(({ mark }) => mark === 'same').length).toBeGreaterThan(2_400)
  })

  it('are marked where a line differs, within what it begins and ends with', () => {
    expect(differentPart('GET /v1.22/info', 'GET /v1.44/info')).toEqual({ start: 8, left: 10, right: 10 })
    expect(differentPart('aa', 'aaa')).toEqual({ start: 2, left: 2, right: 3 })
  })

  it('are folded where they are equal for long, and nothing is lost by it', () => {
    const rows = align(
      Array.from({ length: 40 }, (_, i) => `l${i}`),
      Array.from({ length: 40 }, (_, i) => (i === 20 ? 'other' : `l${i}`)),
    )
    const pieces = folded(rows)
    expect(pieces.length).toBeLessThan(12)
    expect(pieces.flatMap((piece) => ('hidden' in piece ? piece.hidden : [piece]))).toEqual(rows)
  })

  it('are shown at their end all the same where a stream grows there', () => {
    const rows = align(
      ['head', ...Array.from({ length: 40 }, (_, i) => `l${i}`)],
      ['HEAD', ...Array.from({ length: 40 }, (_, i) => `l${i}`)],
    )
    const pieces = folded(rows, undefined, 5)
    expect(pieces.slice(-5).map((piece) => ('hidden' in piece ? 'hidden' : piece.left))).toEqual(
      rows.slice(-5).map(({ left }) => left),
    )
    expect(pieces.filter((piece) => 'hidden' in piece)).toHaveLength(1)
    expect(pieces.flatMap((piece) => ('hidden' in piece ? piece.hidden : [piece]))).toEqual(rows)
    expect(folded(rows.slice(0, 6), undefined, 20)).toEqual(rows.slice(0, 6))
  })
})

describe('JSON in lines', () => {
  it('is as JSON.stringify has it, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(pretty(JSON.stringify(value)).join('\n')).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('keeps numbers that a double cannot hold', () => {
    expect(pretty('{"n":9223372036854775807}')).toEqual(['{', '  "n": 9223372036854775807', '}'])
  })

  it('shows what there is of a text that was cut off', () => {
    expect(pretty('{"a":[1,{"b":"x')).toEqual(['{', '  "a": [', '    1,', '    {', '      "b": "x'])
  })
})
