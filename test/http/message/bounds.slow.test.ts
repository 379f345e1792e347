import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { BodyReader, requestFraming } from '../../../src/http/message/framing.ts'
import { asHead, readRequestHead } from '../../../src/http/message/head.ts'
import { HeadReader, REQUEST_BEGINS } from '../../../src/http/message/head-reader.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Twice: the buffers of a collection are freed with the next. */
const gc = (): void => {
  collect()
  collect()
}

const MB = 1 << 20
const CHUNKED = { kind: 'chunked' } as const
const nothing = { data: () => undefined }

/** Of processor time: what a loaded machine does besides is not counted. */
function milliseconds(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

const byteByByte = (text: string | Buffer, take: (byte: Buffer) => void): void => {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
  for (let at = 0; at < bytes.length; at++) take(bytes.subarray(at, at + 1))
}

function held(make: () => object[]): number {
  gc()
  const before = process.memoryUsage()
  const kept = make()
  gc()
  const after = process.memoryUsage()
  expect(kept.length).toBeGreaterThan(0)
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
}

describe('time is linear in what a peer sends', () => {
  it.each([
    ['one long value', `X: ${'a'.repeat(MB - 100)}\r\n`],
    ['one long name', `${'a'.repeat(MB - 100)}: b\r\n`],
    ['blanks before a value', `X:${' '.repeat(MB - 100)}a\r\n`],
    ['blanks within a value', `X: a${' '.repeat(MB - 100)}a\r\n`],
    ['a Connection of blanks', `Connection: a${' '.repeat(MB - 100)}a\r\n`],
    ['a Connection of commas', `Connection: ${','.repeat(MB - 100)}\r\n`],
    ['a Connection of almost-closes', `Connection: ${'close '.repeat(170_000)}\r\n`],
  ])('a head of 1 MiB byte by byte: %s', (_what, line) => {
    const reader = new HeadReader(MB, REQUEST_BEGINS)
    const took = milliseconds(() =>
      byteByByte(`GET / HTTP/1.1\r\nHost: d\r\n${line}\r\n`, (byte) => {
        const head = reader.read(byte, 0)
        if (head !== undefined) requestFraming(readRequestHead(head))
      }),
    )
    expect(took).toBeLessThan(3_000)
    expect(reader.held).toBe(0)
  })

  it('a target of 1 MiB', () => {
    for (const target of [`/${'a'.repeat(MB)}`, `http://${'a'.repeat(MB)}`, `http://a/${'@'.repeat(MB)}`])
      expect(milliseconds(() => readRequestHead(asHead(`GET ${target} HTTP/1.1\r\nHost: d\r\n`)))).toBeLessThan(200)
  })

  it.each([
    ['100,000 chunks of a byte', `${'1\r\nx\r\n'.repeat(100_000)}0\r\n\r\n`],
    ['one long extension', `1;${'e'.repeat(16_000)}\r\nx\r\n0\r\n\r\n`],
    ['many trailers', `0\r\n${'a:\r\n'.repeat(4_000)}\r\n`],
  ])('a body byte by byte: %s', (_what, text) => {
    const reader = new BodyReader(CHUNKED)
    expect(milliseconds(() => byteByByte(text, (byte) => reader.feed(byte, 0, nothing)))).toBeLessThan(1_000)
    expect(reader.done).toBe(true)
  })
})

describe('memory is bounded', () => {
  const slow = (text: string) => () =>
    Array.from({ length: 2_000 }, () => {
      const reader = new HeadReader(MB, REQUEST_BEGINS)
      byteByByte(text, (byte) => reader.read(byte, 0))
      return reader
    })

  it('2,000 clients that have begun a head hold less than 2 KiB each', () => {
    expect(held(slow('GET /v1.44/containers/json HTTP/1.1\r\nHost: d\r\nX-A: ')) / 2_000).toBeLessThan(2_048)
  })

  it('2,000 clients that are silent, or send empty lines, hold less than 0.5 KiB each', () => {
    expect(held(slow('')) / 2_000).toBeLessThan(512)
    expect(held(slow('\r\n\r\n\r')) / 2_000).toBeLessThan(512)
  })

  it('a head that comes slowly holds at most twice its bytes, and never more than the limit', () => {
    const text = Buffer.from(`GET /${'a'.repeat(600 << 10)}`)
    const make = (limit: number) => () => {
      const reader = new HeadReader(limit, REQUEST_BEGINS)
      byteByByte(text, (byte) => reader.read(byte, 0))
      return [reader]
    }
    expect(held(make(8 * MB))).toBeLessThan(1.3 * MB)
    expect(held(make(620 << 10))).toBeLessThan(720 << 10)
  })

  it('bodies in the middle of an extension, or of trailers, hold less than 1 KiB each', () => {
    for (const text of [`1;${'e'.repeat(15_000)}`, `0\r\n${'e'.repeat(15_000)}`]) {
      const bytes = Buffer.from(text)
      const bodies = (): BodyReader[] =>
        Array.from({ length: 200 }, () => {
          const reader = new BodyReader(CHUNKED)
          reader.feed(bytes, 0, nothing)
          return reader
        })
      expect(held(bodies) / 200).toBeLessThan(1_024)
    }
  })

  it('nothing is allocated for a length or a chunk that is only announced', () => {
    const bodies = (): BodyReader[] =>
      Array.from({ length: 1_000 }, (_, i) => {
        const reader = new BodyReader(i % 2 === 0 ? CHUNKED : { kind: 'length', length: 2 ** 52 })
        reader.feed(Buffer.from('ffffffffffff\r\nx'), 0, nothing)
        return reader
      })
    expect(held(bodies) / 1_000).toBeLessThan(1_024)
  })

  it('heads that were read leave nothing behind, whatever their names', () => {
    const read = (): object[] => {
      for (let i = 0; i < 600; i++) {
        const name = `x-${i}-${'a'.repeat(30)}`
        const text = Buffer.from(`GET / HTTP/1.1\r\nHost: d\r\n${name}: ${'a'.repeat(20_000)}\r\n`)
        readRequestHead(asHead(text.toString('latin1')))
      }
      return [{}]
    }
    read()
    expect(held(read)).toBeLessThan(MB)
  })
})
