import { describe, expect, it } from 'vitest'
import { Malformed } from '../../../src/http/errors.ts'
import { type Reading, readInEverySplit, readRequests } from '../../support/http-messages.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n'

const read = (body: string): Reading => readInEverySplit(`${HEAD}${body}`, readRequests)

function refused(body: string, seen = ''): void {
  const { messages, verdict } = read(body)
  expect(messages).toMatchObject([{ whole: false, body: seen }])
  expect(verdict).toBeInstanceOf(Malformed)
}

describe('chunks', () => {
  it('the borders of chunks are kept, wherever the bytes were cut', () => {
    const { messages, verdict } = read('1\r\na\r\n00A\r\n0123456789\r\n2\r\n\r\n\r\n0\r\n\r\n')
    expect(messages).toMatchObject([{ body: 'a0123456789\r\n', chunks: [1, 10, 2], whole: true }])
    expect(verdict).toBe('idle')
  })

  it('a body can have no chunk but the last', () => {
    expect(read('0\r\n\r\n').messages).toMatchObject([{ body: '', chunks: [], whole: true }])
    expect(read('0000000000000\r\n\r\n').messages).toMatchObject([{ body: '', whole: true }])
  })

  it('what follows the last chunk is the next request', () => {
    const { messages } = read(`1\r\na\r\n0\r\n\r\n${HEAD}0\r\n\r\n`)
    expect(messages).toMatchObject([
      { body: 'a', whole: true },
      { body: '', whole: true },
    ])
  })

  it('a body that has not ended is waited on', () => {
    for (const part of [
      '',
      '5',
      '5\r',
      '5\r\n',
      '5\r\nab',
      '5\r\nabcde',
      '5\r\nabcde\r',
      '0\r\n',
      '0\r\n\r',
      '0\r\nA: b\r\n',
    ])
      expect(read(part).verdict).toBe('in-body')
  })

  it.each([
    ['that is empty', '\r\n0\r\n\r\n'],
    ['with a sign', '+1\r\na\r\n0\r\n\r\n'],
    ['that is negative', '-1\r\na\r\n0\r\n\r\n'],
    ['with a prefix', '0x1\r\na\r\n0\r\n\r\n'],
    ['with a letter beyond F', 'g\r\na\r\n0\r\n\r\n'],
    ['with a space before it', ' 1\r\na\r\n0\r\n\r\n'],
    ['with a space behind it', '1 \r\na\r\n0\r\n\r\n'],
    ['with a tab behind it', '1\t\r\na\r\n0\r\n\r\n'],
    ['with a bare LF behind it', '1\na\r\n0\r\n\r\n'],
    ['with a bare CR behind it', '1\ra\r\n0\r\n\r\n'],
    ['with a CR too many', '1\r\r\na\r\n0\r\n\r\n'],
    ['with an underscore', '1_0\r\na\r\n0\r\n\r\n'],
    ['of 14 digits', '00000000000001\r\na\r\n0\r\n\r\n'],
    ['beyond 64 bits', '10000000000000001\r\na\r\n0\r\n\r\n'],
    ['beyond 32 bits that would wrap', 'ffffffff00000001\r\na\r\n0\r\n\r\n'],
    ['of a full-width digit', '\uff11\r\na\r\n0\r\n\r\n'],
    ['that is a semicolon', ';a\r\na\r\n0\r\n\r\n'],
  ])('a size %s is refused before its payload', (_fault, body) => refused(body))

  it.each([
    ['longer than its size', '1\r\nab\r\n0\r\n\r\n', 'a'],
    ['that ends with a bare LF', '1\r\na\n0\r\n\r\n', 'a'],
    ['that ends with a bare CR', '1\r\na\r0\r\n\r\n', 'a'],
    ['with nothing behind it', '1\r\na0\r\n\r\n', 'a'],
  ])('a chunk %s is refused', (_fault, body, seen) => refused(body, seen))

  it('the largest size that is exact is believed, and nothing is allocated for it', () => {
    const { messages, verdict } = read('fffffffffffff\r\nab')
    expect(messages).toMatchObject([{ chunks: [2 ** 52 - 1], body: 'ab' }])
    expect(verdict).toBe('in-body')
  })
})

describe('chunk extensions', () => {
  it.each([
    ['a name', ';a'],
    ['a name and a value', ';a=b'],
    ['several', ';a;b=c;d="e"'],
    ['a quoted value with separators', ';a="\t;,=\xff(é)"'],
    ['a quoted value with escapes', ';a="\\"\\\\"'],
    ['an empty quoted value', ';a=""'],
  ])('%s: it is taken off', (_what, extension) => {
    const text = Buffer.from(`1${extension}\r\nx\r\n0${extension}\r\n\r\n`, 'latin1').toString('latin1')
    expect(read(text).messages).toMatchObject([{ body: 'x', chunks: [1], whole: true }])
  })

  it.each([
    ['no name', ';'],
    ['no name before a value', ';=b'],
    ['no value', ';a='],
    ['nothing between two semicolons', ';a;;b'],
    ['a semicolon at the end', ';a;'],
    ['a space before a name', '; a'],
    ['a space before the semicolon', ' ;a'],
    ['a space around the equals sign', ';a = b'],
    ['a space at the end', ';a '],
    ['a quote inside a value', ';a=b"c"'],
    ['a quote that is never closed', ';a="b'],
    ['letters behind a quote', ';a="b"c'],
    ['a bare LF', ';a\nb'],
    ['a bare CR', ';a\rb'],
    ['a bare LF in quotes', ';a="\n"'],
    ['an escaped CR in quotes', ';a="\\\r\n"'],
    ['a null byte', ';a\0'],
    ['a byte beyond ASCII in a name', ';\xe9'],
  ])('with %s: the chunk is refused', (_fault, extension) => refused(`1${extension}\r\nx\r\n0\r\n\r\n`))

  it('those of one message are bounded, in one line and in many', () => {
    const body = (size: number): Reading =>
      readRequests([Buffer.from(`${HEAD}1;${'a'.repeat(size)}\r\nx\r\n0\r\n\r\n`)])
    expect(body(16_000).messages).toMatchObject([{ whole: true }])
    expect(body(17_000).verdict).toMatchObject({ status: 413 })
    const many = `${HEAD}${'1;abcdefgh\r\nx\r\n'.repeat(2_000)}`
    expect(readRequests([Buffer.from(many)]).verdict).toMatchObject({ status: 413 })
    expect(readRequests([Buffer.from(`${HEAD}${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`)]).verdict).toBe('idle')
  })
})

describe('trailers', () => {
  it.each([
    ['one', 'A: b\r\n'],
    ['several, with every kind of value', 'A: b\r\nC:\r\nD: \t e \xff\r\n'],
    ['names that begin like those that are forbidden', 'Content-Length-X: 1\r\nTransfer-Encodings: a\r\nHos: x\r\n'],
  ])('%s: they are taken off', (_what, trailers) => {
    const { messages, verdict } = read(`1\r\nx\r\n0\r\n${trailers}\r\n`)
    expect(messages).toMatchObject([{ body: 'x', whole: true }])
    expect(messages[0]?.fields).toHaveLength(4)
    expect(verdict).toBe('idle')
  })

  it.each([
    ['a length', 'Content-Length: 5\r\n'],
    ['a coding', 'A: b\r\ntransfer-encoding: chunked\r\n'],
    ['a host', 'HOST: x\r\n'],
    ['a word about its connection', 'Connection: close\r\n'],
    ['an upgrade', 'Upgrade: tcp\r\n'],
    ['a list of trailers', 'Trailer: A\r\n'],
    ['a word about its connection of old', 'Proxy-Connection: close\r\n'],
    ['a fold', 'A: b\r\n c\r\n'],
    ['a first line that is folded', ' A: b\r\n'],
    ['no name', ': b\r\n'],
    ['no colon', 'A\r\n'],
    ['a space before the colon', 'A : b\r\n'],
    ['a bare LF', 'A: b\nC: d\r\n'],
    ['a bare CR', 'A: b\rC: d\r\n'],
    ['a null byte', 'A: \0\r\n'],
    ['a bare LF for its end', '\n'],
    ['a bare CR for its end', '\rX'],
  ])('%s among them is refused', (_fault, trailers) => refused(`1\r\nx\r\n0\r\n${trailers}\r\n`, 'x'))

  it('those of one message are bounded', () => {
    const body = (size: number) => readRequests([Buffer.from(`${HEAD}0\r\nA: ${'a'.repeat(size)}\r\n\r\n`)])
    expect(body(16_000).messages).toMatchObject([{ whole: true }])
    expect(body(17_000).verdict).toMatchObject({ status: 413 })
  })
})
