/** Bytes that are not HTTP/1.1 as RFC 9112 has it. The connection cannot be read any further. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  /** What a server answers: 400, or a status that says more (413, 417, 431, 501, 505). */
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }

  /** What the client and the audit are told it is. */
  get code(): 'bad-request' | 'request-timeout' | 'body-too-large' | 'header-too-large' {
    return CODES[this.status] ?? 'bad-request'
  }
}

const CODES: Readonly<Record<number, 'request-timeout' | 'body-too-large' | 'header-too-large'>> = {
  408: 'request-timeout',
  413: 'body-too-large',
  431: 'header-too-large',
}
