/** Bytes that violate HTTP/1.1 (RFC 9112). The connection cannot be read further. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  /** Status of the response: 400, 408, 413, 417, 431, 501 or 505. */
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }

  /** Error code for the client and the audit record. */
  get code(): 'bad-request' | 'request-timeout' | 'body-too-large' | 'header-too-large' {
    return CODES[this.status] ?? 'bad-request'
  }
}

const CODES: Readonly<Record<number, 'request-timeout' | 'body-too-large' | 'header-too-large'>> = {
  408: 'request-timeout',
  413: 'body-too-large',
  431: 'header-too-large',
}
