import { describe, expect, it } from 'vitest'
import type { Framing } from '../../../src/http/message/framing.ts'
import { BodyReader } from '../../../src/http/message/framing.ts'
import { readInEverySplit, readRequests, readResponses } from '../../support/http-messages.ts'

const pieces = (framing: Framing, text: string, at = 0): { read: Buffer[]; stopped: number; reader: BodyReader } => {
  const read: Buffer[] = []
  const reader = new BodyReader(framing)
  const stopped = reader.feed(Buffer.from(text), at, { data: (piece) => read.push(piece) })
  return { read, stopped, reader }
}

describe('a body', () => {
  it('with a length ends there, and what follows is the next message', () => {
    const { messages } = readInEverySplit(
      'POST / HTTP/1.1\r\nHost: d\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: d\r\n\r\n',
      readRequests,
    )
    expect(messages).toMatchObject([
      { body: 'abc', whole: true },
      { start: ['GET', '/b', '1.1'], whole: true },
    ])
  })

  it('with a length that is not all there is not done when its connection ends', () => {
    const { reader } = pieces({ kind: 'length', length: 3 }, 'ab')
    expect(reader.done).toBe(false)
    expect(reader.ended()).toBe(false)
  })

  it('until close is done when its connection ends, and not before', () => {
    const { read, reader } = pieces({ kind: 'until-close' }, 'ab')
    expect(read.join('')).toBe('ab')
    expect(reader.done).toBe(false)
    expect(reader.ended()).toBe(true)
    expect(readInEverySplit('HTTP/1.1 200 OK\r\n\r\nabc', readResponses)).toMatchObject({
      messages: [{ body: 'abc', whole: true }],
      verdict: 'over',
    })
  })

  it('in chunks that were cut off is not done when its connection ends', () => {
    expect(pieces({ kind: 'chunked' }, '2\r\nab\r\n').reader.ended()).toBe(false)
  })

  it('that is none is done at once and takes nothing', () => {
    const { read, stopped, reader } = pieces({ kind: 'none' }, 'ab', 1)
    expect([read, stopped, reader.done]).toEqual([[], 1, true])
  })

  it('a piece that is payload alone is handed over as it is, not copied and not wrapped', () => {
    const bytes = Buffer.from('abc')
    for (const framing of [{ kind: 'length', length: 9 }, { kind: 'until-close' }] as const) {
      const read: Buffer[] = []
      new BodyReader(framing).feed(bytes, 0, { data: (piece) => read.push(piece) })
      expect(read[0]?.buffer).toBe(bytes.buffer)
      expect(read).toEqual([bytes])
    }
  })

  it('an empty piece gives no data', () => {
    for (const framing of [{ kind: 'length', length: 9 }, { kind: 'until-close' }, { kind: 'chunked' }] as const)
      expect(pieces(framing, '').read).toEqual([])
  })

  it('a response passes what comes before it: 1xx have no body, whatever they announce', () => {
    const { messages } = readInEverySplit(
      'HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      readResponses,
    )
    expect(messages.map(({ start, body }) => [start[1], body])).toEqual([
      ['100', ''],
      ['103', ''],
      ['200', 'ok'],
    ])
  })
})
