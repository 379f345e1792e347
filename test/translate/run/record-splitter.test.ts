import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/api/json/json.ts'
import { RecordSplitter } from '../../../src/translate/run/record-splitter.ts'
import { ownMemory } from '../../support/memory.ts'

const split = (chunks: readonly Buffer[]): unknown[] => {
  const splitter = new RecordSplitter(1 << 20)
  return chunks.flatMap((chunk) => splitter.push(chunk)).map((record) => parseJson(record.toString()))
}

describe('RecordSplitter', () => {
  it('finds the same objects whatever stands between them and wherever the chunks are cut', () => {
    const separator = fc.constantFrom('', '\n', '\r\n', ' ', '\u001e', '\n\u001e')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), separator), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (records, cuts) => {
          const bytes = Buffer.from(records.map(([record, between]) => JSON.stringify(record) + between).join(''))
          const chunks: Buffer[] = []
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const next = at + (cuts[i % cuts.length] ?? 1)
            chunks.push(bytes.subarray(at, next))
            at = next
          }
          expect(split(chunks)).toEqual(records.map(([record]) => parseJson(JSON.stringify(record))))
        },
      ),
    )
  })

  it('refuses a record larger than its limit instead of keeping it', () => {
    const splitter = new RecordSplitter(100)
    expect(() => {
      for (let i = 0; i < 20; i++) splitter.push(Buffer.from(i === 0 ? '{"a":"' : 'xxxxxxxxxxxx'))
    }).toThrow(/larger than 100 bytes/)
  })

  it('keeps a record that comes byte by byte in little more than its size', () => {
    const splitter = new RecordSplitter(2 << 20)
    splitter.push(Buffer.from('{"a":"'))
    const before = ownMemory()
    for (let i = 0; i < 1 << 20; i++) splitter.push(Buffer.from('x'))
    expect(ownMemory() - before).toBeLessThan(50 << 20)
    expect(splitter.rest()).toHaveLength((1 << 20) + 6)
  })

  it('gives back an unfinished record when the stream ends', () => {
    const splitter = new RecordSplitter(100)
    splitter.push(Buffer.from('{"a":1}{"b"'))
    expect(splitter.rest().toString()).toBe('{"b"')
  })
})
