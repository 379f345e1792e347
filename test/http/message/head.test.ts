import { describe, expect, it } from 'vitest'
import { Malformed } from '../../../src/http/errors.ts'
import { readInEverySplit, readRequests, readResponses } from '../../support/http-messages.ts'

const request = (text: string) => readInEverySplit(text, readRequests)
const response = (text: string) => readInEverySplit(text, readResponses)

function refused(text: string, status = 400): void {
  const { messages, verdict } = request(text)
  expect(messages).toEqual([])
  expect(verdict).toBeInstanceOf(Malformed)
  expect(verdict).toMatchObject({ status })
}

const withField = (line: string): string => `GET / HTTP/1.1\r\nHost: d\r\n${line}\r\n\r\n`

describe('a request head', () => {
  it('keeps its method, target, names and values byte for byte and in their order', () => {
    const { messages, verdict } = request(
      'POST /v1.44/a?b=c#d HTTP/1.1\r\nhOSt: d\r\nX-A: 1\r\nx-a:  \t2 3 \t\r\nX-B:\r\nX-C: \xc3\xa9\xff\r\n\r\n',
    )
    expect(verdict).toBe('idle')
    expect(messages).toMatchObject([
      {
        start: ['POST', '/v1.44/a?b=c#d', '1.1'],
        fields: ['hOSt', 'd', 'X-A', '1', 'x-a', '2 3', 'X-B', '', 'X-C', '\xc3\xa9\xff'],
        whole: true,
      },
    ])
  })

  it.each([
    ['origin-form', '/'],
    [
      'origin-form with every visible character',
      `/${String.fromCharCode(...Array.from({ length: 94 }, (_, i) => i + 33))}`,
    ],
    ['an asterisk', '*'],
    ['absolute-form', 'http://h:80/p?q'],
    ['absolute-form without a path', 'http://h'],
    ['absolute-form with a query alone', 'http://h?q'],
    ['absolute-form with a user', 'http://u:p@h/'],
    ['absolute-form with an address', 'http://[::1]:80/'],
    ['absolute-form without a host, of systeminformation', 'http:/info?q'],
  ])('may have a target in %s', (_form, target) => {
    expect(request(`GET ${target} HTTP/1.1\r\nHost: d\r\n\r\n`).messages[0]?.start[1]).toBe(target)
  })

  it('has bytes beyond ASCII in its target escaped, which engines read alike', () => {
    expect(request('GET /\xc3\xa9?a=\xe9 HTTP/1.1\r\nHost: d\r\n\r\n').messages[0]?.start[1]).toBe('/%C3%A9?a=%E9')
  })

  it.each([
    ['a relative path', 'a/b'],
    ['authority-form', 'h:80'],
    ['an asterisk and a path', '*/a'],
    ['a scheme without slashes', 'http:h'],
    ['a scheme with a digit', 'h2://h/'],
    ['two users', 'http://a@b@h/'],
    ['a quote in its host', 'http://h"/'],
    ['a byte beyond ASCII in its host', 'http://\xe9/'],
    ['a tab', '/\ta'],
    ['a null byte', '/\0'],
    ['a delete character', '/\x7f'],
  ])('must not have a target with %s', (_fault, target) => refused(`GET ${target} HTTP/1.1\r\nHost: d\r\n\r\n`))

  it.each([
    ['a lower-case method', 'get / HTTP/1.1'],
    ['no method', ' / HTTP/1.1'],
    ['a method of 21 letters', `${'A'.repeat(21)} / HTTP/1.1`],
    ['a method that is not registered', 'BREW / HTTP/1.1'],
    ['the rest of a body before its method', 'abPOST / HTTP/1.1'],
    ['half a method', 'OST / HTTP/1.1'],
    ['a word of every object for its method', 'constructor / HTTP/1.1'],
    ['a method with a hyphen', 'M-SEARCH / HTTP/1.1'],
    ['a space before it', ' GET / HTTP/1.1'],
    ['two spaces before its target', 'GET  / HTTP/1.1'],
    ['two spaces behind its target', 'GET /  HTTP/1.1'],
    ['a space at its end', 'GET / HTTP/1.1 '],
    ['a tab for a space', 'GET\t/\tHTTP/1.1'],
    ['two words, as HTTP/0.9 has it', 'GET /'],
    ['one word', 'GET'],
    ['four words', 'GET / a HTTP/1.1'],
    ['a version in lower case', 'GET / http/1.1'],
    ['a version of two digits', 'GET / HTTP/1.10'],
    ['a version without a dot', 'GET / HTTP/11'],
    ['another protocol', 'GET / RTSP/1.0'],
    ['CONNECT', 'CONNECT h:80 HTTP/1.1'],
  ])('must not have a request line with %s', (_fault, line) => refused(`${line}\r\nHost: d\r\n\r\n`))

  it.each([
    ['0.9', 'GET / HTTP/0.9'],
    ['1.2', 'GET / HTTP/1.2'],
    ['2.0', 'GET / HTTP/2.0'],
  ])('of version %s is answered 505', (_version, line) => refused(`${line}\r\nHost: d\r\n\r\n`, 505))

  it.each([
    ['a space before the colon', 'X-A : 1'],
    ['a tab before the colon', 'X-A\t: 1'],
    ['no colon', 'X-A'],
    ['no name', ': 1'],
    ['a space in its name', 'X A: 1'],
    ['a null byte in its name', 'X\0A: 1'],
    ['a byte beyond ASCII in its name', 'X-\xe9: 1'],
    ['a separator in its name', 'X(A): 1'],
    ['a null byte in its value', 'X-A: a\0b'],
    ['a vertical tab in its value', 'X-A: \x0ba'],
    ['an escape character in its value', 'X-A: \x1b'],
    ['a delete character in its value', 'X-A: \x7f'],
    ['a bare CR', 'X-A: a\rX-B: b'],
    ['a bare CR at its end', 'X-A: a\r\r\nX-B: b'],
    ['a bare LF', 'X-A: a\nX-B: b'],
    ['a fold with a space', 'X-A: a\r\n b'],
    ['a fold with a tab', 'X-A: a\r\n\tb'],
    ['a fold that looks like a field', 'X-A: a\r\n X-B: b'],
    ['a fold of blanks alone', 'X-A: a\r\n  '],
  ])('must not have a field with %s', (_fault, line) => refused(withField(line)))

  it('must not have a folded first line', () => refused('GET / HTTP/1.1\r\n Host: d\r\n\r\n'))

  it('may have 999 fields and no more', () => {
    const fields = (count: number): string => `GET / HTTP/1.1\r\nHost: d\r\n${'a:\r\n'.repeat(count - 1)}\r\n`
    expect(readRequests([Buffer.from(fields(999))]).messages[0]?.fields).toHaveLength(2 * 999)
    expect(readRequests([Buffer.from(fields(1000))]).verdict).toMatchObject({ status: 431 })
  })
})

describe('a response head', () => {
  it.each([
    ['a reason', 'HTTP/1.1 200 OK then', ['1.1', '200', 'OK then']],
    ['an empty reason', 'HTTP/1.1 200 ', ['1.1', '200', '']],
    ['no reason at all', 'HTTP/1.1 200', ['1.1', '200', '']],
    ['a reason with bytes beyond ASCII', 'HTTP/1.0 404 n\xe4', ['1.0', '404', 'n\xe4']],
    ['a reason that begins with a space', 'HTTP/1.1 500  x', ['1.1', '500', ' x']],
  ])('may have %s', (_what, line, start) => {
    expect(response(`${line}\r\nContent-Length: 0\r\n\r\n`).messages).toMatchObject([{ start, whole: true }])
  })

  it.each([
    ['an empty line before it', '\r\nHTTP/1.1 200 OK'],
    ['a status of two digits', 'HTTP/1.1 20 OK'],
    ['a status of four digits', 'HTTP/1.1 2000 OK'],
    ['a status below 100', 'HTTP/1.1 099 OK'],
    ['a status with a sign', 'HTTP/1.1 +20 OK'],
    ['two spaces before its status', 'HTTP/1.1  200 OK'],
    ['a tab behind its status', 'HTTP/1.1 200\tOK'],
    ['a null byte in its reason', 'HTTP/1.1 200 O\0K'],
    ['a bare CR in its reason', 'HTTP/1.1 200 O\rK'],
    ['version 2.0', 'HTTP/2.0 200 OK'],
    ['version 0.9', 'HTTP/0.9 200 OK'],
    ['version 1.2', 'HTTP/1.2 200 OK'],
    ['lower case', 'http/1.1 200 OK'],
    ['another protocol', 'ICY 200 OK'],
    ['a request line', 'GET / HTTP/1.1'],
  ])('must not have %s', (_fault, line) => {
    const { messages, verdict } = response(`${line}\r\nContent-Length: 0\r\n\r\n`)
    expect(messages).toEqual([])
    expect(verdict).toBeInstanceOf(Malformed)
  })
})
