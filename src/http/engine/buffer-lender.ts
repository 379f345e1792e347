import type net from 'node:net'

/** Node's own read size. */
const MAX_BYTES = 64 * 1024
/** Enough for an interactive session. */
const FIRST_BYTES = 1024
/** Idle buffers kept. A socket that reads ahead uses no more than these; then it waits. */
const KEPT = 2

/** Owns the chunk until it calls `done`. */
export type Borrower = (chunk: Buffer, done: () => void) => void

/**
 * Reads a connection into a few reused buffers. By default Node allocates 64 KB per read, and collecting that garbage
 * dominated the cost of a busy tunnel (docs/performance.md).
 */
export class BufferLender {
  /** Bytes are emitted as `data` until a borrower is set. */
  readonly socket: net.Socket
  #borrower: Borrower | undefined
  #size = FIRST_BYTES
  readonly #idle: Buffer[] = []

  /** Node accepts `onread` only when connecting (net.connect, tls.connect). */
  constructor(connect: (onread: net.OnReadOpts) => net.Socket) {
    this.socket = connect({
      buffer: () => this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#size),
      callback: (length, buffer) => this.#read(buffer as Buffer, length),
    })
  }

  /**
   * Hands chunks to the borrower, except those buffered in the socket, which are still emitted as `data`. The borrower
   * pauses and resumes the socket. Undefined: back to `data` events.
   */
  lend(borrower: Borrower | undefined): void {
    this.#borrower = borrower
  }

  #read(buffer: Buffer, length: number): boolean {
    const chunk = buffer.subarray(0, length)
    if (length === this.#size && length < MAX_BYTES) this.#grow()
    if (this.#borrower !== undefined && this.socket.readableLength === 0) {
      this.#borrower(chunk, () => this.#keep(buffer))
      return true
    }
    const more = this.socket.push(Buffer.from(chunk))
    this.#keep(buffer)
    return more
  }

  /** The read filled the buffer: more data than typing produces. */
  #grow(): void {
    this.#size = Math.min(4 * this.#size, MAX_BYTES)
    this.#idle.length = 0
  }

  #keep(buffer: Buffer): void {
    if (buffer.length === this.#size && this.#idle.length < KEPT) this.#idle.push(buffer)
  }
}
