import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Chain, chainedLine, ORIGIN } from '../../src/audit/log/chain.ts'

const KEY = Buffer.from('a key of enough bytes')
const asBytes = (line: string): Buffer => Buffer.from(line.slice(0, -1))

describe('the chain of an audit log', () => {
  it('gives each line its number, the hash of the line before and its own, of the bytes before its own', () => {
    const chain = new Chain(undefined)
    const [first, second] = [chain.link('{"a":1}\n'), chain.link('{"b":2}\n')].map((line) => JSON.parse(line))
    expect(first).toEqual({ a: 1, chain: { seq: 1, prev: ORIGIN.hash, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    expect(second).toMatchObject({ b: 2, chain: { seq: 2, prev: first.chain.hash } })
    expect(first.chain.hash).toBe(hash('sha256', `{"a":1,"chain":{"seq":1,"prev":"${'0'.repeat(64)}"`))
  })

  it('is read back from any line that it made, with and without a key', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (record, keyed) => {
        const chain = new Chain(keyed ? KEY : undefined, { seq: 41, hash: 'f'.repeat(64) })
        const read = chainedLine(asBytes(chain.link(`${JSON.stringify(record)}\n`)))
        expect(read).toMatchObject({
          seq: 42,
          prev: 'f'.repeat(64),
          hash: chain.last.hash,
          seal: keyed ? 'hmac' : 'hash',
        })
      }),
    )
  })

  it('sees no chain where it is not the end of the line, or not of its exact form', () => {
    const line = new Chain(undefined).link('{"a":1}\n').slice(0, -1)
    for (const other of [
      `${line} `,
      line.replace('"seq":1', '"seq":01'),
      line.replace('"seq"', '"Seq"'),
      line.slice(1, -1),
    ])
      expect(chainedLine(Buffer.from(other)), other).toBeUndefined()
  })

  it('with a key cannot be continued by somebody who has another', () => {
    const [ours, theirs] = [new Chain(KEY), new Chain(Buffer.from('another key, as long'))]
    ours.link('{"a":1}\n')
    theirs.link('{"a":1}\n')
    expect(ours.last.hash).not.toBe(theirs.last.hash)
  })
})
