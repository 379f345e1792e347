import { describe, expect, it } from 'vitest'
import { Malformed } from '../../../src/http/errors.ts'
import { type Reading, readInEverySplit, readRequests, readResponses } from '../../support/http-messages.ts'

const SMUGGLED = 'POST /containers/x/kill HTTP/1.1\r\nHost: d\r\n\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const LENGTH = `Content-Length: ${SMUGGLED.length}\r\n`
const LAST = '0\r\n\r\n'

const read = (text: string): Reading => readInEverySplit(text, readRequests)
const post = (fields: string, body = ''): string => `POST / HTTP/1.1\r\nHost: d\r\n${fields}\r\n${body}`
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** Nothing of it becomes a request. */
const refusedWhole = (text: string): void => {
  const { messages, verdict } = read(text)
  expect(messages).toEqual([])
  expect(verdict).toBeInstanceOf(Malformed)
}
/** The request before it is read, and the connection goes no further. */
const refusedInBody = (text: string): void => {
  const { messages, verdict } = read(text)
  expect(messages).toMatchObject([{ start: ['POST', '/', '1.1'], whole: false }])
  expect(messages).toHaveLength(1)
  expect(verdict).toBeInstanceOf(Malformed)
}
/** It is a body and no request. */
const staysBody = (text: string): void => {
  const { messages, verdict } = read(text)
  expect(messages).toMatchObject([{ body: SMUGGLED, whole: true }])
  expect(messages).toHaveLength(1)
  expect(verdict).toBe('idle')
}

describe('a smuggled request', () => {
  it.each([
    ['CL.TE', post(`${LENGTH}${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['CL.TE with a length of 0', post(`Content-Length: 0\r\n${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE.CL', post(`${CHUNKED}Content-Length: 4\r\n`, `${chunk(SMUGGLED)}${LAST}`)],
    ['TE.CL with names in other cases', post('transfer-encoding: Chunked\r\ncontent-length: 4\r\n', LAST)],
    ['TE.TE, the second unknown', post(`${CHUNKED}Transfer-Encoding: x\r\n`, `${LAST}${SMUGGLED}`)],
    ['TE.TE, the first unknown', post(`Transfer-Encoding: x\r\n${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE.TE, twice the same', post(`${CHUNKED}${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE.TE in one field', post('Transfer-Encoding: chunked, identity\r\n', `${LAST}${SMUGGLED}`)],
    ['TE with a space before the colon', post(`Transfer-Encoding : chunked\r\n${LENGTH}`, SMUGGLED)],
    ['TE behind a space', post(` ${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE with a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', `${LAST}${SMUGGLED}`)],
    ['TE with a null byte', post('Transfer-Encoding: chunked\0\r\n', `${LAST}${SMUGGLED}`)],
    ['TE with a no-break space', post('Transfer-Encoding: \xa0chunked\r\n', `${LAST}${SMUGGLED}`)],
    ['TE in quotes', post('Transfer-Encoding: "chunked"\r\n', `${LAST}${SMUGGLED}`)],
    ['TE with a parameter', post('Transfer-Encoding: chunked;a=b\r\n', `${LAST}${SMUGGLED}`)],
    ['TE on HTTP/1.0', `POST / HTTP/1.0\r\nHost: d\r\n${CHUNKED}\r\n${LAST}${SMUGGLED}`],
    ['TE in a folded line', post('Transfer-Encoding:\r\n chunked\r\n', `${LAST}${SMUGGLED}`)],
    ['TE behind a folded line', post(`X: a\r\n ${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE behind a bare CR', post(`X: a\r${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['TE behind a bare LF', post(`X: a\n${CHUNKED}`, `${LAST}${SMUGGLED}`)],
    ['a length behind a bare LF', post(`X: a\n${LENGTH}`, SMUGGLED)],
    ['a length behind a CR too many', post(`X: a\r\r\n${LENGTH}`, SMUGGLED)],
    ['a length in a folded line', post(`Content-Length:\r\n ${SMUGGLED.length}\r\n`, SMUGGLED)],
    ['two lengths', post(`Content-Length: 0\r\n${LENGTH}`, SMUGGLED)],
    ['a list of lengths', post(`Content-Length: 0, ${SMUGGLED.length}\r\n`, SMUGGLED)],
    ['a length with a sign', post(`Content-Length: +${SMUGGLED.length}\r\n`, SMUGGLED)],
    ['a length that wraps at 64 bits', post('Content-Length: 18446744073709551616\r\n', SMUGGLED)],
    ['a head that ends with bare LFs', `GET / HTTP/1.1\nHost: d\n\n${SMUGGLED}`],
    ['a head that ends with one bare LF', `GET / HTTP/1.1\r\nHost: d\r\n\n${SMUGGLED}`],
    ['a head that ends with bare CRs', `GET / HTTP/1.1\rHost: d\r\r${SMUGGLED}`],
    ['two hosts', `GET / HTTP/1.1\r\nHost: d\r\nHost: e\r\n\r\n`],
    ['two hosts that agree', `GET / HTTP/1.1\r\nHost: d\r\nhost: d\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a host before the request line', 'Host: d\r\nGET / HTTP/1.1\r\n\r\n'],
    ['a request line with a request in it', `GET / HTTP/1.1 POST /kill HTTP/1.1\r\nHost: d\r\n\r\n`],
    ['a request line with a tab', 'GET\t/ HTTP/1.1\r\nHost: d\r\n\r\n'],
    ['a target with a bare CR', 'GET /\r HTTP/1.1\r\nHost: d\r\n\r\n'],
    ['absolute-form with a space in its host', 'GET http://a b/ HTTP/1.1\r\nHost: d\r\n\r\n'],
    ['HTTP/0.9', `GET /\r\n\r\n${SMUGGLED}`],
    ['HTTP/0.9 on one line', `GET /\r\n${SMUGGLED}`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a tunnel', `CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n${SMUGGLED}`],
  ])('%s: all of it is refused', (_family, text) => refusedWhole(text))

  it.each([
    ['a chunk size that wraps at 64 bits', `10000000000000001\r\nx\r\n${LAST}`],
    ['a chunk size padded beyond what is exact', `${'0'.repeat(20)}1\r\nx\r\n${LAST}`],
    ['a chunk size with a space', `1 \r\nx\r\n${LAST}`],
    ['a chunk size with a prefix', `0x1\r\nx\r\n${LAST}`],
    ['a chunk shorter than it says', `5\r\nx\r\n${LAST}${SMUGGLED}`],
    ['a chunk longer than it says', `1\r\nx${SMUGGLED}\r\n${LAST}`],
    ['chunks that end with two other bytes (TERM.EXT)', `1\r\nxXX0\r\n\r\n${SMUGGLED}`],
    ['a bare LF in an extension (EXT.TERM)', `1;\nx\r\n${LAST}${SMUGGLED}`],
    ['a bare LF in a named extension', `1;a\nx\r\n${LAST}${SMUGGLED}`],
    ['a bare CR in an extension', `1;a\rx\r\n${LAST}${SMUGGLED}`],
    ['a bare LF in a quoted extension', `1;a="\nx\r\n${LAST}${SMUGGLED}"\r\n`],
    ['an extension without a semicolon', `1 a=b\r\nx\r\n${LAST}`],
    ['a last chunk that ends with a bare LF', `0\n\n${SMUGGLED}`],
    ['trailers that end with a bare LF', `0\r\nA: b\n\n${SMUGGLED}`],
    ['a length among the trailers', `0\r\n${LENGTH}\r\n${SMUGGLED}`],
    ['a coding among the trailers', `0\r\n${CHUNKED}\r\n${SMUGGLED}`],
    ['a host among the trailers', `0\r\nHost: e\r\n\r\n`],
    ['a request among the trailers (0.CL of a last chunk without its empty line)', `0\r\n${SMUGGLED}`],
  ])('%s: its body is refused', (_family, body) => refusedInBody(post(CHUNKED, body)))

  it.each([
    ['CL.0: with a length on a POST', post(LENGTH, SMUGGLED)],
    ['CL.0: with a length on a GET', post(LENGTH, SMUGGLED).replace('POST', 'GET')],
    ['CL.0: with a length on a HEAD', post(LENGTH, SMUGGLED).replace('POST', 'HEAD')],
    [
      'with a length on HTTP/1.0 that is kept alive',
      `POST / HTTP/1.0\r\nConnection: keep-alive\r\n${LENGTH}\r\n${SMUGGLED}`,
    ],
    ['with chunks on a GET', post(CHUNKED, `${chunk(SMUGGLED)}${LAST}`).replace('POST', 'GET')],
    ['with chunks on a DELETE', post(CHUNKED, `${chunk(SMUGGLED)}${LAST}`).replace('POST', 'DELETE')],
    ['with absolute-form', post(LENGTH, SMUGGLED).replace(' / ', ' http://other/ ')],
    ['with Connection naming its length', post(`Connection: Content-Length\r\n${LENGTH}`, SMUGGLED)],
    [
      'with Connection naming its coding',
      post(`Connection: Transfer-Encoding\r\n${CHUNKED}`, `${chunk(SMUGGLED)}${LAST}`),
    ],
    ['with Connection naming its host', post(`Connection: Host\r\n${LENGTH}`, SMUGGLED)],
    ['with an upgrade and a length', post(`Connection: Upgrade\r\nUpgrade: tcp\r\n${LENGTH}`, SMUGGLED)],
    ['with an expectation', post(`Expect: 100-continue\r\n${LENGTH}`, SMUGGLED)],
    ['with a name that looks like a length', post(`Content_Length: 0\r\n${LENGTH}`, SMUGGLED)],
    ['with a name that looks like a coding', post(`Transfer_Encoding: chunked\r\n${LENGTH}`, SMUGGLED)],
    ['with a length padded with zeros', post(`Content-Length: 00${SMUGGLED.length}\r\n`, SMUGGLED)],
    [
      'with an extension that spells a chunk',
      post(CHUNKED, `${SMUGGLED.length.toString(16)};a="0;b"\r\n${SMUGGLED}\r\n${LAST}`),
    ],
  ])('%s: it stays a body', (_family, text) => staysBody(text))

  it('behind a call that closes its connection: it is not read', () => {
    const { messages, verdict } = read(`GET / HTTP/1.1\r\nHost: d\r\nConnection: x, close\r\n\r\n${SMUGGLED}`)
    expect(messages).toHaveLength(1)
    expect(verdict).toBe('over')
  })
})

describe('a smuggled response', () => {
  const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'
  const length = `Content-Length: ${FORGED.length}\r\n`

  it.each([
    ['both lengths', `HTTP/1.1 200 OK\r\n${length}${CHUNKED}\r\n${LAST}${FORGED}`],
    ['two lengths', `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${length}\r\n${FORGED}`],
    ['a coding that nobody knows', `HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n${FORGED}`],
    ['a coding on HTTP/1.0', `HTTP/1.0 200 OK\r\n${CHUNKED}\r\n${LAST}${FORGED}`],
    ['a bare LF in its head', `HTTP/1.1 200 OK\r\nX: a\n${length}\r\n${FORGED}`],
    ['a bare CR in its reason', `HTTP/1.1 200 OK\rX: a\r\n${length}\r\n${FORGED}`],
    ['a folded line', `HTTP/1.1 200 OK\r\nX: a\r\n ${length}\r\n${FORGED}`],
  ])('with %s: all of it is refused', (_family, text) => {
    const { messages, verdict } = readInEverySplit(text, readResponses)
    expect(messages).toEqual([])
    expect(verdict).toBeInstanceOf(Malformed)
  })

  it('behind an answer to HEAD, a 204 and a 304: the connection shows it as a message nobody asked for', () => {
    for (const [line, method] of [
      ['200 OK', 'HEAD'],
      ['204 No Content', 'GET'],
      ['304 Not Modified', 'GET'],
    ] as const) {
      const { messages } = readInEverySplit(`HTTP/1.1 ${line}\r\n${length}\r\n${FORGED}`, (pieces) =>
        readResponses(pieces, method),
      )
      expect(messages[0]).toMatchObject({ framing: 'none', body: '', whole: true })
      expect(messages).toHaveLength(2)
    }
  })

  it('behind a 101: nothing is read as HTTP any more', () => {
    const { messages, verdict } = readInEverySplit(
      `HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n${length}\r\n${FORGED}`,
      readResponses,
    )
    expect(messages).toHaveLength(1)
    expect(verdict).toBe('over')
  })

  it('in a body until close: it stays a body', () => {
    const { messages } = readInEverySplit(`HTTP/1.1 200 OK\r\n\r\n${FORGED}`, readResponses)
    expect(messages).toMatchObject([{ framing: 'until-close', body: FORGED, whole: true }])
  })
})
