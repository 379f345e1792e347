/** Bytes that are not HTTP/1.1 as RFC 9112 has it. The connection cannot be read any further. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  /** What a server answers: 400, or a status that says more (413, 417, 431, 501, 505). */
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}
