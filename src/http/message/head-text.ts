import type { Malformed } from '../errors.ts'
import { Headers, type ReadonlyHeaders } from '../headers.ts'

/** The reason phrases of the statuses that engines and the bridge send (RFC 9110, RFC 6585). For those of node:http it would have to be loaded: 1 MB. */
export const REASONS: Readonly<Record<number, string>> = {
  101: 'Switching Protocols',
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  411: 'Length Required',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
}

/** A response head in latin1, as sent. `more`: further field lines, each with its CRLF. */
export const headText = (minor: 0 | 1, status: number, reason: string, { lines }: ReadonlyHeaders, more = ''): string =>
  `HTTP/1.${minor} ${status} ${reason}\r\n${lines}${more}\r\n`

/** The response to malformed HTTP, in net/http's form (server.go, `badRequestError` and `statusError`). */
export function rejectionText({ status, code }: Malformed): string {
  const reason = REASONS[status] ?? ''
  const type = ['Content-Type', 'text/plain; charset=utf-8']
  const headers = Headers.fromRaw([...type, 'Enginebridge-Error', code, 'Connection', 'close'])
  return `${headText(1, status, reason, headers)}${status} ${reason}`
}
