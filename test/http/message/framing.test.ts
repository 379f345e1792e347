import { describe, expect, it } from 'vitest'
import { Malformed } from '../../../src/http/errors.ts'
import { Headers } from '../../../src/http/headers.ts'
import { persists, requestFraming, responseFraming } from '../../../src/http/message/framing.ts'
import { asHead, readRequestHead, readResponseHead } from '../../../src/http/message/head.ts'

const linesOf = (fields: readonly string[]): string => Headers.fromRaw(fields).lines
const request = (fields: readonly string[], minor: 0 | 1 = 1) =>
  requestFraming(readRequestHead(asHead(`POST / HTTP/1.${minor}\r\nHost: d\r\n${linesOf(fields)}`)))
const response = (fields: readonly string[], { status = 200, method = 'GET', minor = 1 as 0 | 1 } = {}) =>
  responseFraming(readResponseHead(asHead(`HTTP/1.${minor} ${status} OK\r\n${linesOf(fields)}`)), method)

const refusal = (work: () => unknown): number | undefined => {
  try {
    work()
    return undefined
  } catch (cause) {
    if (cause instanceof Malformed) return cause.status
    throw cause
  }
}

describe('where a request body ends', () => {
  it('there is none without a length and chunks, and none with a length of 0', () => {
    expect(request([])).toEqual({ kind: 'none' })
    expect(request(['Content-Length', '0'])).toEqual({ kind: 'none' })
  })

  it('the names are found in any case, and longer names are others', () => {
    expect(request(['cONTENT-lENGTH', '5', 'X-Content-Length', '9'])).toEqual({ kind: 'length', length: 5 })
    expect(request(['transfer-ENCODING', 'ChunKed'])).toEqual({ kind: 'chunked' })
  })

  it('a length can be as large as numbers are exact', () => {
    expect(request(['Content-Length', '9007199254740991'])).toEqual({ kind: 'length', length: 2 ** 53 - 1 })
    expect(refusal(() => request(['Content-Length', '9007199254740992']))).toBe(400)
  })

  it.each([
    '',
    '+2',
    '-1',
    '0x2',
    '2.0',
    '2e1',
    '2 2',
    '2,2',
    '2, 2',
    '2;',
    '\xb2',
    '99999999999999999999',
    'two',
    '2_0',
  ])('a length of %j is refused', (length) => expect(refusal(() => request(['Content-Length', length]))).toBe(400))

  it('two lengths are refused, equal ones too', () => {
    expect(refusal(() => request(['Content-Length', '2', 'content-length', '2']))).toBe(400)
  })

  it('a length beside a coding is refused, whichever comes first', () => {
    expect(refusal(() => request(['Content-Length', '2', 'Transfer-Encoding', 'chunked']))).toBe(400)
    expect(refusal(() => request(['Transfer-Encoding', 'chunked', 'Content-Length', '2']))).toBe(400)
  })

  it.each([
    ['gzip', 501],
    ['xchunked', 501],
    ['gzip, chunked', 501],
    ['identity', 501],
    ['chunked;q=1', 501],
    ['"chunked"', 501],
    ['chunked\xa0', 501],
    ['', 400],
    [',chunked', 400],
    ['chunked,', 400],
    ['chunked, chunked', 400],
    ['chunked, gzip', 400],
    ['Chunked\t, identity', 400],
  ])('the coding %j is answered %i', (coding, status) => {
    expect(refusal(() => request(['Transfer-Encoding', coding]))).toBe(status)
  })

  it('codings in two fields are one list', () => {
    const two = (one: string, other: string) => () => request(['Transfer-Encoding', one, 'Transfer-Encoding', other])
    expect(refusal(two('chunked', 'identity'))).toBe(400)
    expect(refusal(two('chunked', 'chunked'))).toBe(400)
    expect(refusal(two('gzip', 'chunked'))).toBe(501)
  })

  it('HTTP/1.0 has no coding', () => {
    expect(refusal(() => request(['Transfer-Encoding', 'chunked'], 0))).toBe(400)
  })

  it('HTTP/1.1 has one host, HTTP/1.0 at most one', () => {
    const hosts = (minor: 0 | 1, ...values: string[]) =>
      refusal(() =>
        requestFraming(
          readRequestHead(asHead(`GET / HTTP/1.${minor}\r\n${linesOf(values.flatMap((value) => ['hOST', value]))}`)),
        ),
      )
    expect([hosts(1), hosts(1, ''), hosts(1, 'a'), hosts(1, 'a', 'a')]).toEqual([400, undefined, undefined, 400])
    expect([hosts(0), hosts(0, 'a'), hosts(0, 'a', 'b')]).toEqual([undefined, undefined, 400])
  })

  it('a refusal tells the beginning of a value alone, however long it is', () => {
    expect(() => request(['Content-Length', '9'.repeat(1 << 20)])).toThrow(/^bad Content-Length "9{50}…"$/)
    expect(() => request(['Transfer-Encoding', 'x'.repeat(1 << 20)])).toThrow(
      /^unsupported transfer encoding: "x{50}…"$/,
    )
  })
})

describe('where a response body ends', () => {
  it('with its length, its chunks, or its connection', () => {
    expect(response(['Content-Length', '3'])).toEqual({ kind: 'length', length: 3 })
    expect(response(['Transfer-Encoding', 'chunked'])).toEqual({ kind: 'chunked' })
    expect(response([])).toEqual({ kind: 'until-close' })
    expect(response([], { minor: 0 })).toEqual({ kind: 'until-close' })
  })

  it.each([
    ['to HEAD', { method: 'HEAD' }],
    ['100', { status: 100 }],
    ['101', { status: 101 }],
    ['150', { status: 150 }],
    ['204', { status: 204 }],
    ['304', { status: 304 }],
  ])('%s: there is none, whatever it announces', (_what, how) => {
    expect(response(['Content-Length', '3'], how)).toEqual({ kind: 'none' })
    expect(response(['Transfer-Encoding', 'chunked'], how)).toEqual({ kind: 'none' })
    expect(response([], how)).toEqual({ kind: 'none' })
  })

  it.each([
    ['a length beside a coding', ['Transfer-Encoding', 'chunked', 'Content-Length', '3']],
    ['two lengths', ['Content-Length', '3', 'Content-Length', '3']],
    ['a bad length', ['Content-Length', 'x']],
    ['a coding that nobody knows', ['Transfer-Encoding', 'gzip, chunked']],
  ])('%s is refused, also where there is no body', (_fault, fields) => {
    expect(refusal(() => response(fields))).toBeDefined()
    expect(refusal(() => response(fields, { method: 'HEAD' }))).toBeDefined()
    expect(refusal(() => response(fields, { status: 304 }))).toBeDefined()
  })

  it('HTTP/1.0 has no coding', () => {
    expect(refusal(() => response(['Transfer-Encoding', 'chunked'], { minor: 0 }))).toBe(400)
  })
})

describe('whether a connection lasts', () => {
  it.each([
    [1, [], true],
    [0, [], false],
    [1, ['Connection', 'close'], false],
    [1, ['connection', 'x, CLOSE\t,y'], false],
    [1, ['Connection', 'x', 'Connection', 'close'], false],
    [1, ['Connection', 'x', 'Connection', 'y'], true],
    [0, ['Connection', 'Keep-Alive'], true],
    [0, ['Connection', 'keep-alive, close'], false],
    [1, ['Connection', 'closed'], true],
    [1, ['Connection', 'not close'], true],
    [0, ['Connection', 'keep-alive\xa0'], false],
    [1, ['X-Connection', 'close'], true],
    [1, ['Connection', ''], true],
  ] as const)('HTTP/1.%i with %j: %j', (minor, fields, lasts) => {
    expect(persists(readResponseHead(asHead(`HTTP/1.${minor} 200 OK\r\n${linesOf(fields)}`)))).toBe(lasts)
  })
})
