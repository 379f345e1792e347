import type { Disagreement } from './compare.ts'

export interface Explained {
  readonly id: string
  /** Why ours is right to read it otherwise, though not more strictly. */
  readonly reason: string
  readonly holds: (found: Disagreement, text: string) => boolean
  /** Reads this otherwise: a request, or what answers a GET. */
  readonly reader: 'llhttp' | 'undici'
  readonly example: string
}

const named = (fields: readonly string[], name: string): string[] =>
  fields.filter((_value, i) => i % 2 === 1 && fields[i - 1]?.toLowerCase() === name)

const status = (found: Disagreement): number => Number(found.message?.start.find((word) => /^\d{3}$/.test(word)))

const UNDICI_REFUSES = 'Response does not match the HTTP/1.1 protocol (Invalid character in Content-Length)'

/** Where ours reads otherwise than llhttp without being stricter. There is no other. */
export const explained: readonly Explained[] = [
  {
    id: 'informational-without-a-body',
    reason:
      'llhttp reads a body of a 1xx other than 100 to 103 that announces one. No 1xx has any (RFC 9110, 15.2; RFC 9112, 6.3): ' +
      'its bytes would be taken from the response behind it.',
    reader: 'llhttp',
    holds: (found) => found.kind === 'read otherwise' && status(found) > 103 && status(found) < 200,
    example: 'HTTP/1.1 150 OK\r\nContent-Length: 3\r\n\r\nabc',
  },
  {
    id: 'scheme-without-a-host',
    reason:
      'llhttp wants two slashes behind a scheme. The part between them and the path may be missing (RFC 3986, 3), engines read such ' +
      'a target as its path, and systeminformation sends it. The target is not sent on; its path is.',
    reader: 'llhttp',
    holds: ({ kind, message }) =>
      (kind === 'read further' || kind === 'accepted what they refuse') &&
      /^[A-Za-z]+:\/(?!\/)/.test(message?.start[1] ?? ''),
    example: 'GET http:/info HTTP/1.0\r\n\r\n',
  },
  {
    id: 'bare-empty-line',
    reason:
      'llhttp wants CRLF. Engines take an LF, and scripts write `echo -e "GET /info HTTP/1.0\\r\\n" | nc -U`: a request line of ' +
      'HTTP/1.0, which has neither header nor body and ends its connection.',
    reader: 'llhttp',
    holds: ({ kind, message }, text) =>
      kind === 'read further' &&
      message?.start[2] === '1.0' &&
      message.fields.length === 0 &&
      / HTTP\/1\.0\r\n\n/.test(text),
    example: 'GET / HTTP/1.0\r\n\n',
  },
  {
    id: 'target-beyond-ascii',
    reason:
      'llhttp refuses bytes beyond ASCII in a target. Engines read them as they read their escapes, and curl sends them.',
    reader: 'llhttp',
    holds: ({ kind, theirs, message }) =>
      kind === 'read further' &&
      /(?:Invalid|Unexpected) char in url/.test(theirs.error ?? '') &&
      /%[89A-F]/.test(message?.start[1] ?? ''),
    example: 'GET /\xe9 HTTP/1.1\r\nHost: d\r\n\r\n',
  },
  {
    id: 'proxy-connection',
    reason:
      'llhttp takes Proxy-Connection for Connection. It is no field of HTTP (RFC 9112, C.2.2), and a connection that is kept ' +
      'though its sender closes it is one that ends while it is idle.',
    reader: 'llhttp',
    holds: (found) =>
      found.kind === 'kept a connection that they close' &&
      named(found.message?.fields ?? [], 'proxy-connection').length > 0,
    example: 'GET / HTTP/1.1\r\nHost: d\r\nProxy-Connection: close\r\n\r\nGET / HTTP/1.1\r\nHost: d\r\n\r\n',
  },
  {
    id: 'tab-behind-a-length',
    reason:
      'llhttp before 9.4 refuses a tab behind a length or behind close. It is white space around a value as the space is ' +
      '(RFC 9110, 5.6.3), and llhttp takes it since.',
    reader: 'llhttp',
    holds: (found) => found.theirs.error === 'Invalid character in Content-Length',
    example: 'POST / HTTP/1.1\r\nHost: d\r\nContent-Length: 3\t\r\n\r\nabc',
  },
  {
    id: 'tab-behind-a-length-in-undici',
    reason:
      'undici’s own llhttp refuses a tab behind a length as well, and undici then says so, or only that the other side closed. ' +
      'It is white space around a value (RFC 9110, 5.6.3).',
    reader: 'undici',
    holds: ({ kind, theirs }, text) =>
      kind === 'read further' &&
      [undefined, UNDICI_REFUSES].includes(theirs.error) &&
      /content-length:[^\r\n]*\t[\t ]*\r\n/i.test(text),
    example: 'HTTP/1.1 200 OK\r\nContent-Length: 3\t\r\n\r\nabc',
  },
  {
    id: 'blank-behind-a-length',
    reason:
      'undici takes white space behind a length for a part of it, and finds a body of that length too short or too long. It is ' +
      'no part of a value (RFC 9110, 5.6.3), and llhttp under it ends the body there too.',
    reader: 'undici',
    holds: ({ kind, what }, text) =>
      kind === 'read otherwise' &&
      what.startsWith('whole is true and false') &&
      /content-length:[^\r\n]*[\t ]\r\n/i.test(text),
    example: 'HTTP/1.1 200 OK\r\nContent-Length: 3 \r\n\r\nabc',
  },
  {
    id: 'tab-behind-chunked',
    reason:
      'llhttp takes a tab behind chunked for a part of the word: it refuses the request, and reads the response until its ' +
      'connection closes. White space around a value is no part of it (RFC 9110, 5.6.3).',
    reader: 'llhttp',
    holds: (found, text) =>
      /:[\t ]*chunked *\t[\t ]*\r\n/i.test(text) &&
      named(found.message?.fields ?? [], 'transfer-encoding').some((value) => value.toLowerCase() === 'chunked'),
    example: 'POST / HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n',
  },
]

export const isExplained = (found: Disagreement, text: string): boolean =>
  explained.some(({ holds }) => holds(found, text))
