type Pick = (below: number) => number

const of = <T>(list: readonly T[], pick: Pick): T => {
  const found = list[pick(list.length)]
  if (found === undefined) throw new RangeError('an empty list')
  return found
}

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT', 'PRI', 'M-SEARCH', 'BREW', 'get', '']
const TARGETS = [
  '/',
  '/a?b#c',
  '*',
  '*/x',
  'http://h/p',
  'http://u@h:1?q',
  'http:/p',
  'h:80',
  '//x',
  '/\xe9',
  '/a b',
  '',
  '/\t',
  '?',
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/1.10', 'http/1.1', 'RTSP/1.0', '']
const STATUSES = ['200', '100', '101', '103', '150', '199', '204', '304', '404', '999', '099', '20', '2000', '']
const NAMES = [
  'X-B',
  'X-C',
  'Connection',
  'Connection',
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'Upgrade',
  'Expect',
  'Trailer',
  'TE',
  'X-A',
]
const ODD_NAMES = [
  'Proxy-Connection',
  'Keep-Alive',
  'Content-Length ',
  'Content\tLength',
  '',
  ' X',
  'X\0',
  'X-\xe9',
  'Content_Length',
]
const VALUES = [
  '',
  'd',
  '0',
  '3',
  '03',
  '5',
  '+3',
  '3 ',
  '3, 3',
  '0x3',
  '99999999999999999999',
  'chunked',
  'Chunked',
  'CHUNKED ',
]
const ODD_VALUES = [
  ...[
    'gzip, chunked',
    'chunked, gzip',
    'chunked;a',
    ',chunked',
    '\tchunked',
    '\x0bchunked',
    'identity',
    '"chunked"',
    'chunked\xa0',
  ],
  ...[
    'close',
    'keep-alive',
    'close, keep-alive',
    'Content-Length',
    'upgrade',
    'Upgrade, close',
    'tcp',
    'h2c',
    '100-continue',
  ],
  ...['a\r\n b', 'a\rb', 'a\nb', 'a\0b', '\x7f', 'x, close\t', 'closed', 'close\xa0', 'close keep-alive'],
]
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\n\r', ' \r\n', '']
const SIZES = [
  '3',
  '0',
  '03',
  '1',
  'A',
  'g',
  '-1',
  '0x3',
  ' 3',
  '3 ',
  '',
  '10000000000000003',
  '00000000000000000003',
  'ffffffff',
]
const EXTENSIONS = [
  '',
  '',
  '',
  ';a',
  ';a=b',
  ';a="b"',
  ';',
  ';;',
  ';a="\\"";c',
  '; a',
  ';a=',
  ';=b',
  ';a="\n"',
  ' ;a',
  ';a=b"c"',
  ';a\x80',
]
const TRAILERS = [
  '',
  '',
  'A: b\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: x\r\n',
  'Connection: close\r\n',
  ' x\r\n',
  'A: b\n',
]

const end = (pick: Pick): string => (pick(12) === 0 ? of(ENDS, pick) : '\r\n')
const likely = <T>(first: T, others: readonly T[], pick: Pick): T => (pick(8) === 0 ? of(others, pick) : first)

function field(pick: Pick): string {
  const name = pick(8) === 0 ? of(ODD_NAMES, pick) : of(NAMES, pick)
  const colon = likely(': ', [':', ' :', '', ':\t', ': \t '], pick)
  return `${name}${colon}${likely(pick(3) === 0 ? 'close' : 'd', pick(2) === 0 ? VALUES : ODD_VALUES, pick)}${end(pick)}`
}

function chunk(pick: Pick): string {
  const size = likely('3', SIZES, pick)
  return `${size}${pick(3) === 0 ? of(EXTENSIONS, pick) : ''}${end(pick)}${likely('abc', ['', 'ab', 'abcd', '\r\n\r'], pick)}${end(pick)}`
}

function body(pick: Pick): string {
  if (pick(3) === 0) return likely('abc', ['', 'ab', 'abcd', 'GET / HTTP/1.1\r\n\r\n'], pick)
  const chunks = Array.from({ length: pick(3) }, () => chunk(pick)).join('')
  return `${chunks}${likely('0', SIZES, pick)}${pick(5) === 0 ? of(EXTENSIONS, pick) : ''}${end(pick)}${of(TRAILERS, pick)}${end(pick)}`
}

const framing = (pick: Pick): string =>
  pick(2) === 0
    ? `Content-Length: ${likely('3', VALUES, pick)}\r\n`
    : `Transfer-Encoding: ${likely('chunked', ODD_VALUES, pick)}\r\n`

function message(line: string, pick: Pick): string {
  const fields = Array.from({ length: pick(3) }, () => field(pick)).join('')
  const framed = pick(4) === 0 ? '' : framing(pick)
  return `${pick(12) === 0 ? of(ENDS, pick) : ''}${line}${end(pick)}${framed}${fields}${end(pick)}${body(pick)}`
}

const space = (pick: Pick): string => (pick(12) === 0 ? of(['', '  ', '\t', '\r'], pick) : ' ')

/** A request, or a few on one connection: mostly well made, with a fault here and there. */
export function someRequests(pick: Pick): string {
  const one = (): string => {
    const line = `${likely('POST', METHODS, pick)}${space(pick)}${likely('/', TARGETS, pick)}${space(pick)}${likely('HTTP/1.1', VERSIONS, pick)}`
    return message(pick(8) === 0 ? line : `${line}\r\nHost: d`, pick)
  }
  return Array.from({ length: 1 + pick(3) }, one).join('')
}

export function someResponses(pick: Pick): string {
  const one = (): string => {
    const reason = likely(' OK', ['', ' ', '  x', ' \xe9', ' \0', '\tx'], pick)
    return message(`${likely('HTTP/1.1', VERSIONS, pick)}${space(pick)}${likely('200', STATUSES, pick)}${reason}`, pick)
  }
  return Array.from({ length: 1 + pick(3) }, one).join('')
}

const WORDS = [
  ...NAMES,
  ...VALUES,
  ...ODD_VALUES,
  ...SIZES,
  ...EXTENSIONS,
  ...TRAILERS,
  ...ENDS,
  ...METHODS,
  ...TARGETS,
  ':',
  ',',
  ';',
]

/** Bytes and words of a text put in, taken out, doubled and swapped. */
export function mutateHttp(input: Buffer, other: Buffer, pick: Pick, fresh: (pick: Pick) => string): Buffer {
  if (pick(3) === 0) return Buffer.from(fresh(pick), 'latin1')
  let text = input.toString('latin1')
  for (let n = 1 + pick(3); n > 0; n--) text = change(text, other, pick)
  return Buffer.from(text.slice(0, 2048), 'latin1')
}

function change(text: string, other: Buffer, pick: Pick): string {
  const at = pick(text.length + 1)
  const until = Math.min(text.length, at + 1 + pick(8))
  const cut = (middle: string, to = at): string => text.slice(0, at) + middle + text.slice(to)
  switch (pick(8)) {
    case 0:
      return cut(String.fromCharCode(pick(256)), Math.min(text.length, at + 1))
    case 1:
      return cut('', until)
    case 2:
      return cut(of(WORDS, pick))
    case 3:
      return cut(of(WORDS, pick), until)
    case 4:
      return cut(text.slice(at, until))
    case 5:
      return lines(text, pick)
    case 6:
      return cut(other.toString('latin1', pick(other.length + 1)).slice(0, pick(64)))
    default:
      return cut(of(['\r', '\n', '\r\n', ' ', '\t', '\0', ',', ';', '"', '0', '\x80'], pick))
  }
}

/** A line taken out, doubled, or put in elsewhere. */
function lines(text: string, pick: Pick): string {
  const all = text.split('\r\n')
  const [line = ''] = all.splice(pick(all.length), pick(2))
  if (pick(3) !== 0) all.splice(pick(all.length + 1), 0, line, ...(pick(3) === 0 ? [line] : []))
  return all.join('\r\n')
}
