import { percentEncoded } from '../../config/text.ts'
import { Malformed } from '../errors.ts'
import { HeaderNames, Headers, type ReadonlyHeaders } from '../headers.ts'
import { COLON, CR, isText, isToken, LF, trimmed } from './characters.ts'

/** A head up to the CRLF of its last line: in latin1, and as bytes, which begin at `from` and are quicker to check. */
export interface HeadText {
  readonly text: string
  readonly bytes: Buffer
  readonly from: number
}

export const asHead = (text: string): HeadText => ({ text, bytes: Buffer.from(text, 'latin1'), from: 0 })

const FRAMING_NAMES = new HeaderNames(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** The header fields that say where a message and its connection end, collected while a head is read. */
export class FramingFields {
  /** How many `Content-Length` there are, and the last. */
  lengths = 0
  length = ''
  /** How many `Transfer-Encoding` there are, and their list. */
  codings = 0
  coding = ''
  hosts = 0
  /** The list of all `Connection`. */
  connection = ''
  keepAlive = ''

  /** Whether a name of that length could be one of these. */
  static mayHave(nameLength: number): boolean {
    return FRAMING_NAMES.hasLength(nameLength)
  }

  add(name: string, value: string): void {
    switch (name.toLowerCase()) {
      case 'host':
        this.hosts++
        break
      case 'content-length':
        this.lengths++
        this.length = value
        break
      case 'transfer-encoding':
        this.coding = this.codings++ === 0 ? value : `${this.coding}, ${value}`
        break
      case 'connection':
        this.connection += `,${value}`
        break
      case 'keep-alive':
        this.keepAlive ||= value
        break
      default:
    }
  }
}

/** The header fields of a message. */
interface Fields {
  readonly headers: ReadonlyHeaders
  readonly framingFields: FramingFields
}

export interface RequestHead extends Fields {
  readonly method: string
  readonly target: string
  /** The minor version of HTTP/1. */
  readonly minor: 0 | 1
}

export interface ResponseHead extends Fields {
  readonly status: number
  readonly reason: string
  readonly minor: 0 | 1
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
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/

/** Throws `Malformed`. */
export function readRequestHead(head: HeadText): RequestHead {
  const { text } = head
  const end = text.indexOf('\r\n')
  const line = text.slice(0, end)
  const afterMethod = line.indexOf(' ')
  const afterTarget = line.indexOf(' ', afterMethod + 1)
  const method = line.slice(0, afterMethod)
  if (!METHODS.has(method) || afterTarget === -1) throw new Malformed('malformed request line')
  const sent = line.slice(afterMethod + 1, afterTarget)
  checkTarget(method, sent)
  const target = sent.replace(NOT_ASCII, percentEncoded)
  return { method, target, minor: minorOf(line.slice(afterTarget + 1)), ...readFields(head, end + 2) }
}

/** Throws `Malformed`. */
export function readResponseHead(head: HeadText): ResponseHead {
  const { text } = head
  const end = text.indexOf('\r\n')
  const found = STATUS_LINE.exec(text.slice(0, end))
  if (found === null) throw new Malformed('malformed status line')
  const [, minor, status, reason = ''] = found
  return { status: Number(status), reason, minor: minor === '1' ? 1 : 0, ...readFields(head, end + 2) }
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
  if (/^HTTP\/[0-9]\.[0-9]$/.test(version)) throw new Malformed('HTTP Version Not Supported', 'bad-request', 505)
  throw new Malformed('malformed HTTP version')
}

/** Checks field lines (RFC 9112, 5.1) in one pass: no folding, no space before the colon. */
function readFields({ text, bytes, from }: HeadText, start: number): Fields {
  const framingFields = new FramingFields()
  const end = from + text.length
  let count = 0
  for (let at = from + start; at < end; ) {
    let colon = at
    while (isToken(bytes[colon])) colon++
    if (colon === at || bytes[colon] !== COLON) throw new Malformed('invalid header name')
    let last = colon + 1
    while (isText(bytes[last])) last++
    if (bytes[last] !== CR || bytes[last + 1] !== LF)
      throw new Malformed('control character in a header, or a line without CRLF')
    if (++count > MAX_FIELDS) throw new Malformed(`more than ${MAX_FIELDS} header fields`, 'header-too-large')
    if (FramingFields.mayHave(colon - at))
      framingFields.add(text.slice(at - from, colon - from), trimmed(text, colon + 1 - from, last - from))
    at = last + 2
  }
  return { headers: Headers.fromLines(text.slice(start)), framingFields }
}
