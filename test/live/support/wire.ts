import net from 'node:net'

const PATIENCE_MS = 20_000

export interface Head {
  readonly status: number
  readonly reason: string
  /** Names in lower case; of several with one name the last. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * One connection, written and read by hand, byte for byte: legacy clients send what no HTTP library would (a `Host`
 * that is a socket path, raw bytes after a POST, a half-close before the answer).
 */
export class Wire {
  readonly #socket: net.Socket
  #buffer = Buffer.alloc(0)
  #ended = false
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(path: string) {
    this.#socket = net.connect({ path, allowHalfOpen: true })
    this.#socket.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk])
      this.#wake()
    })
    this.#socket.on('end', () => this.#over())
    this.#socket.on('error', (error) => this.#over(error))
    this.#socket.on('close', () => this.#over())
  }

  write(data: string | Buffer): void {
    this.#socket.write(data)
  }

  /** Ends our side; the other may go on. */
  halfClose(): void {
    this.#socket.end()
  }

  /** Leaves, as a killed client does. */
  leave(): void {
    this.#socket.destroy()
  }

  /** Reads a head up to its empty line. */
  async head(): Promise<Head> {
    const lines = (await this.#through('\r\n\r\n')).toString('latin1').split('\r\n')
    const found = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(lines[0] ?? '')
    if (found === null) throw new Error(`no status line: ${lines[0]}`)
    const headers = lines.slice(1).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon === -1 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const]
    })
    return { status: Number(found[1]), reason: found[2] ?? '', headers: Object.fromEntries(headers) }
  }

  /** The next bytes, or undefined at the end. */
  async some(): Promise<Buffer | undefined> {
    if (!(await this.#until(() => this.#buffer.length > 0))) return undefined
    return this.#cut(this.#buffer.length)
  }

  /** Everything up to the end; then our side ends too. Left open, it would hold a bridge that stops for its whole grace. */
  async rest(): Promise<Buffer> {
    while (!this.#ended) await this.#until(() => false)
    this.leave()
    if (this.#failure !== undefined) throw this.#failure
    return this.#cut(this.#buffer.length)
  }

  /** Bytes up to and including `text`; what comes after stays. */
  async through(text: string): Promise<Buffer> {
    return this.#through(text)
  }

  /** Pieces of a body, decoded as its head says (RFC 9112, 6). */
  async *body(head: Head): AsyncGenerator<Buffer> {
    if (head.status === 204 || head.status === 304) return
    if (head.headers['transfer-encoding'] === 'chunked') {
      yield* this.#chunks()
      return
    }
    const length = head.headers['content-length']
    if (length !== undefined) {
      const size = Number(length)
      if (!(await this.#until(() => this.#buffer.length >= size))) throw new Error('the body was cut off')
      yield this.#cut(size)
      return
    }
    for (let piece = await this.some(); piece !== undefined; piece = await this.some()) yield piece
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const size = Number.parseInt((await this.#through('\r\n')).toString(), 16)
      if (!(await this.#until(() => this.#buffer.length >= size + 2))) throw new Error('a chunk was cut off')
      const piece = this.#cut(size)
      this.#cut(2)
      if (size === 0) return
      yield piece
    }
  }

  async #through(text: string): Promise<Buffer> {
    if (!(await this.#until(() => this.#buffer.includes(text))))
      throw new Error(`the connection ended before ${JSON.stringify(text)}; it said: ${this.#buffer.toString()}`)
    return this.#cut(this.#buffer.indexOf(text) + text.length)
  }

  #cut(length: number): Buffer {
    const piece = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    return piece
  }

  #over(error?: Error): void {
    this.#ended = true
    this.#failure ??= error
    this.#wake()
  }

  /** Waits until `ready`, true, or until the connection's end, then `ready` decides. */
  async #until(ready: () => boolean): Promise<boolean> {
    while (!ready()) {
      if (this.#ended) return false
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(
        () => reject(new Error(`nothing came within ${PATIENCE_MS / 1000} s; unread: ${this.#buffer.toString()}`)),
        PATIENCE_MS,
      )
      this.#wake = resolve
      await promise.finally(() => clearTimeout(timer))
    }
    return true
  }
}
