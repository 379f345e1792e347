import { percentEncoded } from '../../config/text.ts'
import { COLON, CR, isBlank, isText, isToken, LF } from './characters.ts'
import { Malformed } from './malformed.ts'

/** Header fields as flat name/value pairs in latin1 and in order. */
export type Fields = readonly string[]

export interface RequestHead {
  readonly method: string
  readonly target: string
  /** The minor version of HTTP/1. */
  readonly minor: 0 | 1
  readonly fields: Fields
}

export interface ResponseHead {
  readonly status: number
  readonly reason: string
  readonly minor: 0 | 1
  readonly fields: Fields
}

/** Above the count any known client or engine sends. */
export const MAX_FIELDS = 999

/** llhttp's methods without M-SEARCH. An unknown word is usually the rest of a body on whose end two parsers differ. */
const METHODS = new Set(
  (
    'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST ' +
    'PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
  ).split(' '),
)
/** Searching for a forbidden character needs no stack for long targets, unlike `[\x21-\x7e]*$`. */
const NOT_VISIBLE = /[^\x21-\x7e\x80-\xff]/
/** Engines read such a byte (`curl '…?path=/tmp/ä'`) and its escape alike. */
const NOT_ASCII = /[\x80-\xff]/g
/**
 * absolute-form (RFC 9112, 3.2.2) up to the path: a scheme, at most one user, a host. These may be missing with their slashes
 * (RFC 3986, 3): `http:/info`, which engines read and systeminformation sends.
 */
const ABSOLUTE = /^[A-Za-z]+:(?:\/\/(?:[\w\-.!~*'()%;:&=+$,]*@)?[\w\-.!~*'()%;:&=+$,[\]]*(?=[/?]|$)|(?=\/(?!\/)))/
/** The reason may be missing together with its space: some engines' servers omit both. */
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?= |$)/
const REASON_AT = 'HTTP/1.1 200 '.length

/** Reads a request head: latin1 up to the CRLF of the last line, without the empty line. Throws `Malformed`. */
export function readRequestHead(text: string): RequestHead {
  const end = text.indexOf('\r\n')
  const line = text.slice(0, end)
  const afterMethod = line.indexOf(' ')
  const afterTarget = line.indexOf(' ', afterMethod + 1)
  const method = line.slice(0, afterMethod)
  if (!METHODS.has(method) || afterTarget === -1) throw new Malformed('malformed request line')
  const sent = line.slice(afterMethod + 1, afterTarget)
  checkTarget(method, sent)
  const target = sent.replace(NOT_ASCII, percentEncoded)
  return { method, target, minor: minorOf(line.slice(afterTarget + 1)), fields: readFields(text, end + 2) }
}

/** See `readRequestHead`. */
export function readResponseHead(text: string): ResponseHead {
  const end = text.indexOf('\r\n')
  const line = text.slice(0, end)
  const found = STATUS_LINE.exec(line)
  if (found === null || !isAllText(line)) throw new Malformed('malformed status line')
  return {
    status: Number(found[2]),
    reason: line.slice(REASON_AT),
    minor: found[1] === '1' ? 1 : 0,
    fields: readFields(text, end + 2),
  }
}

/** Accepts origin-form, absolute-form and `*`; authority-form is only for CONNECT, which is unsupported. */
function checkTarget(method: string, target: string): void {
  if (method === 'CONNECT') throw new Malformed('CONNECT is not supported')
  const known = target.charCodeAt(0) === 0x2f || target === '*' || ABSOLUTE.test(target)
  if (!known || NOT_VISIBLE.test(target)) throw new Malformed('invalid request target')
}

function minorOf(version: string): 0 | 1 {
  if (version === 'HTTP/1.1') return 1
  if (version === 'HTTP/1.0') return 0
  if (/^HTTP\/[0-9]\.[0-9]$/.test(version)) throw new Malformed('HTTP Version Not Supported', 505)
  throw new Malformed('malformed HTTP version')
}

function isAllText(line: string): boolean {
  for (let i = 0; i < line.length; i++) if (!isText(line.charCodeAt(i))) return false
  return true
}

/** Reads field lines (RFC 9112, 5.1) in one pass: no folding, no space before the colon; values are trimmed. */
function readFields(text: string, start: number): Fields {
  const fields: string[] = []
  for (let at = start; at < text.length; ) {
    let colon = at
    while (isToken(text.charCodeAt(colon))) colon++
    if (colon === at || text.charCodeAt(colon) !== COLON) throw new Malformed('invalid header name')
    let from = colon + 1
    while (isBlank(text.charCodeAt(from))) from++
    let end = from
    while (isText(text.charCodeAt(end))) end++
    if (text.charCodeAt(end) !== CR || text.charCodeAt(end + 1) !== LF)
      throw new Malformed('control character in a header, or a line without CRLF')
    if (fields.length === 2 * MAX_FIELDS) throw new Malformed(`more than ${MAX_FIELDS} header fields`, 431)
    fields.push(text.slice(at, colon), withoutBlankEnd(text, from, end))
    at = end + 2
  }
  return fields
}

function withoutBlankEnd(text: string, from: number, end: number): string {
  let to = end
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}
