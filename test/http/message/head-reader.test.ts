import { describe, expect, it } from 'vitest'
import { Malformed } from '../../../src/http/errors.ts'
import { HeadReader, REQUEST_BEGINS, RESPONSE_BEGINS } from '../../../src/http/message/head-reader.ts'
import { readInEverySplit, readRequests } from '../../support/http-messages.ts'

const PING = 'GET /_ping HTTP/1.1\r\nHost: d\r\n\r\n'

function feed(reader: HeadReader, text: string): string {
  try {
    for (const byte of Buffer.from(text, 'latin1')) reader.read(Buffer.of(byte), 0)
    return 'waits'
  } catch (cause) {
    if (cause instanceof Malformed) return String(cause.status)
    throw cause
  }
}

describe('where a head ends', () => {
  it('a pipelined request begins where the one before it ends, wherever the bytes were cut', () => {
    const { messages, verdict } = readInEverySplit(`${PING}${PING.replace('_ping', 'info')}`, readRequests)
    expect(messages.map(({ start }) => start[1])).toEqual(['/_ping', '/info'])
    expect(verdict).toBe('idle')
  })

  it('empty lines before a request are taken off, wherever the bytes were cut', () => {
    const { messages, verdict } = readInEverySplit(`\r\n\r\n${PING}\r\n${PING}\r\n`, readRequests)
    expect(messages).toHaveLength(2)
    expect(verdict).toBe('idle')
  })

  it.each([
    ['an LF', '\n'],
    ['a CR', '\r\r\n'],
    ['a CR with a letter behind it', '\rGET'],
  ])('%s alone before a request is refused', (_what, text) => {
    expect(readInEverySplit(`${text}${PING}`, readRequests).verdict).toBeInstanceOf(Malformed)
  })

  it('a request line of HTTP/1.0 may be ended by a bare LF, wherever the bytes were cut: echo -e "GET /info HTTP/1.0\\r\\n"', () => {
    const { messages, verdict } = readInEverySplit(`${PING}GET /info HTTP/1.0\r\n\n${PING}`, readRequests)
    expect(messages.map(({ start }) => start[1])).toEqual(['/_ping', '/info'])
    expect(verdict).toBe('over')
  })

  it.each([
    ['HTTP/1.1', 'GET /info HTTP/1.1\r\n\n'],
    ['a header', 'GET /info HTTP/1.0\r\nX: HTTP/1.0\r\n\n'],
    ['a bare LF behind its request line', 'GET /info HTTP/1.0\n\n'],
    ['a second line of HTTP/1.0', 'GET /info\r\nX HTTP/1.0\r\n\n'],
  ])('a request with %s may not, wherever the bytes were cut', (_what, text) => {
    expect(readInEverySplit(`${text}${PING}`, readRequests)).toMatchObject({ messages: [], verdict: { status: 400 } })
  })

  it('a request refused for its bare LF is held, for the audit record', () => {
    const reader = new HeadReader(100, REQUEST_BEGINS)
    reader.read(Buffer.from('GET /info HTTP/1.1\r\n'), 0)
    expect(() => reader.read(Buffer.from('\n'), 0)).toThrow(Malformed)
    expect(reader.beginning.toString()).toBe('GET /info HTTP/1.1\r\n\n')
  })

  it('empty lines alone hold no memory and are no head that has begun', () => {
    const reader = new HeadReader(100, REQUEST_BEGINS)
    expect(feed(reader, '\r\n'.repeat(8))).toBe('waits')
    expect(reader.held).toBe(0)
    expect(reader.beginning).toHaveLength(0)
  })

  it('an endless row of empty lines is refused, and each head may have some before it', () => {
    expect(feed(new HeadReader(100, REQUEST_BEGINS), '\r\n'.repeat(17))).toBe('400')
    const { messages, verdict } = readInEverySplit(`${'\r\n'.repeat(16)}${PING}`.repeat(2), readRequests)
    expect(messages).toHaveLength(2)
    expect(verdict).toBe('idle')
    expect(readInEverySplit(`${PING}${'\r\n'.repeat(17)}${PING}`, readRequests)).toMatchObject({
      messages: [{ whole: true }],
      verdict: { status: 400 },
    })
  })

  it('a response has no empty line before it, in one piece or in many', () => {
    const reader = (): HeadReader => new HeadReader(100, RESPONSE_BEGINS)
    expect(feed(reader(), '\r')).toBe('400')
    expect(reader().read(Buffer.from('\r\nHTTP/1.1 200 OK\r\n\r\n'), 0)?.text).toMatch(/^\r\n/)
  })

  it('a head in many pieces is told of while it comes, and forgotten when it is whole', () => {
    const reader = new HeadReader(1000, REQUEST_BEGINS)
    reader.read(Buffer.from(`xx${PING.slice(0, 10)}`), 2)
    expect(reader.held).toBe(10)
    expect(reader.beginning.toString()).toBe(PING.slice(0, 10))
    expect(reader.read(Buffer.from(`y${PING.slice(10)}rest`), 1)).toMatchObject({
      text: PING.slice(0, -2),
      next: PING.length - 9,
    })
    expect(reader.held).toBe(0)
    expect(reader.beginning).toHaveLength(0)
  })

  it('a head of just the limit is read and one byte more is refused, in one piece or in many', () => {
    for (const limit of [PING.length, PING.length - 1])
      expect(readInEverySplit(PING, (pieces) => readRequests(pieces, limit)).messages).toHaveLength(
        limit === PING.length ? 1 : 0,
      )
    const tooSmall = new HeadReader(PING.length - 1, REQUEST_BEGINS)
    expect(() => tooSmall.read(Buffer.from(PING), 0)).toThrowError(expect.objectContaining({ status: 431 }))
  })

  it('what comes behind a head does not count towards its limit', () => {
    const reader = new HeadReader(PING.length, REQUEST_BEGINS)
    expect(reader.read(Buffer.from(PING.slice(0, 5)), 0)).toBeUndefined()
    expect(reader.read(Buffer.from(`${PING.slice(5)}${'x'.repeat(5000)}`), 0)?.next).toBe(PING.length - 5)
  })

  it('an endless head is refused at its limit', () => {
    expect(feed(new HeadReader(500, REQUEST_BEGINS), `GET /${'a'.repeat(495)}`)).toBe('waits')
    expect(feed(new HeadReader(500, REQUEST_BEGINS), `GET /${'a'.repeat(496)}`)).toBe('431')
  })

  it.each([
    ['TLS', '\x16\x03\x01', REQUEST_BEGINS],
    ['lower case', 'get', REQUEST_BEGINS],
    ['a word too long for a method', 'A'.repeat(21), REQUEST_BEGINS],
    ['a null byte', 'GET /\0', REQUEST_BEGINS],
    ['a bare LF', 'GET / HTTP/1.1\n', REQUEST_BEGINS],
    ['a bare CR', 'GET / HTTP/1.1\rH', REQUEST_BEGINS],
    ['a bare LF as its empty line', 'HTTP/1.0 200 HTTP/1.0\r\n\n', RESPONSE_BEGINS],
    ['SSH', 'SSH-2.0', RESPONSE_BEGINS],
    ['HTTPS', 'HTTPS', RESPONSE_BEGINS],
  ])('%s is refused before an end that never comes', (_what, text, begins) => {
    expect(feed(new HeadReader(1000, begins), text)).toBe('400')
  })

  it.each([
    ['a method', 'GE', REQUEST_BEGINS],
    ['a method that is not known', 'PROPFIND', REQUEST_BEGINS],
    ['a half of an empty line', '\r', REQUEST_BEGINS],
    ['a protocol', 'HTT', RESPONSE_BEGINS],
  ])('the beginning of %s is waited on', (_what, text, begins) => {
    expect(feed(new HeadReader(1000, begins), text)).toBe('waits')
  })
})
