import { Malformed } from './malformed.ts'

/** Header fields as flat name/value pairs, byte for byte as latin1 and in their order. */
export type Fields = readonly string[]

export interface RequestHead {
  readonly method: string
  readonly target: string
  /** Of HTTP/1.x. */
  readonly minor: 0 | 1
  readonly fields: Fields
}

export interface ResponseHead {
  readonly status: number
  readonly reason: string
  readonly minor: 0 | 1
  readonly fields: Fields
}

/** More fields than any client or engine sends; the bound of node:http is the same. */
export const MOST_FIELDS = 999

/** Control characters other than tab, and CR or LF alone (RFC 9112, 2.2; RFC 9110, 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const METHOD = /^[A-Z]{1,20}$/
/** As llhttp has it; Go takes letters beyond ASCII too. */
const TARGET = /^[\x21-\x7e]+$/
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/

/** Names that were found to be tokens; most heads have no others. */
const tokens = new Set<string>()
const MOST_TOKENS = 500

/** Reads a request's head: its latin1 text up to the CRLF of its last line, the empty line left out. Throws `Malformed`. */
export function readRequestHead(text: string): RequestHead {
  checkText(text)
  const end = text.indexOf('\r\n')
  const line = text.slice(0, end)
  const afterMethod = line.indexOf(' ')
  const afterTarget = line.indexOf(' ', afterMethod + 1)
  const method = line.slice(0, afterMethod)
  const target = line.slice(afterMethod + 1, afterTarget)
  if (afterMethod <= 0 || afterTarget === -1 || !METHOD.test(method) || !TARGET.test(target))
    throw new Malformed('malformed request line')
  return { method, target, minor: minorOf(line.slice(afterTarget + 1)), fields: readFields(text, end + 2) }
}

/** Reads a response's head, as `readRequestHead`. */
export function readResponseHead(text: string): ResponseHead {
  checkText(text)
  const end = text.indexOf('\r\n')
  const found = STATUS_LINE.exec(text.slice(0, end))
  if (found === null) throw new Malformed('malformed status line')
  return {
    status: Number(found[2]),
    reason: found[3] ?? '',
    minor: found[1] === '1' ? 1 : 0,
    fields: readFields(text, end + 2),
  }
}

/** Reads the field lines of a chunked body's trailer section. */
export function readTrailers(text: string): Fields {
  checkText(text)
  return readFields(text, 0)
}

function minorOf(version: string): 0 | 1 {
  if (version === 'HTTP/1.1') return 1
  if (version === 'HTTP/1.0') return 0
  if (/^HTTP\/[0-9]\.[0-9]$/.test(version)) throw new Malformed('HTTP Version Not Supported', 505)
  throw new Malformed('malformed HTTP version')
}

function checkText(text: string): void {
  if (NOT_TEXT.test(text)) throw new Malformed('a control character in the head, or a line that ends without CRLF')
}

/** Field lines (RFC 9112, 5.1): no folding, no space before the colon; white space around a value is not part of it. */
function readFields(text: string, start: number): Fields {
  const fields: string[] = []
  for (let at = start; at < text.length; ) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon > end) throw new Malformed('a header line without a colon')
    const name = text.slice(at, colon)
    if (!isToken(name)) throw new Malformed('invalid header name')
    if (fields.length === 2 * MOST_FIELDS) throw new Malformed(`more than ${MOST_FIELDS} header fields`, 431)
    fields.push(name, trimmed(text, colon + 1, end))
    at = end + 2
  }
  return fields
}

function isToken(name: string): boolean {
  if (tokens.has(name)) return true
  if (!TOKEN.test(name)) return false
  if (tokens.size < MOST_TOKENS && name.length <= 40) tokens.add(name)
  return true
}

const SPACE = 0x20
const TAB = 0x09

function trimmed(text: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB
