import type net from 'node:net'

/** As much as Node itself takes of a socket at once. */
const MOST_BYTES = 64 * 1024
/** Enough for somebody who types. */
const FIRST_BYTES = 1024
/** Of the buffers that are not in use. A socket that goes on takes no more of them: then it waits. */
const KEPT = 2

/** Takes bytes that are its own until it says that it is done with them. */
export type Borrower = (chunk: Buffer, done: () => void) => void

/**
 * Reads a connection into the same few buffers again and again. Left alone, Node makes one of 64 KB for each read and leaves
 * it to be collected, which was most of what a tunnel at full rate cost (docs/performance.md).
 */
export class Reading {
  readonly #connect: (onread: net.OnReadOpts) => net.Socket
  #socket: net.Socket | undefined
  #borrower: Borrower | undefined
  #size = FIRST_BYTES
  readonly #idle: Buffer[] = []

  /** `connect`: makes the connection, once; Node asks for this with `onread` alone (net.connect, tls.connect). */
  constructor(connect: (onread: net.OnReadOpts) => net.Socket) {
    this.#connect = connect
  }

  /** The connection. Its bytes come as `data`, as always, until they are lent. */
  open(): net.Socket {
    this.#socket = this.#connect({
      buffer: () => this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#size),
      callback: (length, buffer) => this.#read(buffer as Buffer, length),
    })
    return this.#socket
  }

  /**
   * From now on, but for what waits in the socket: that still comes as `data`. Whoever borrows, pauses and resumes the socket.
   * Undefined: everything comes as `data` again.
   */
  lend(borrower: Borrower | undefined): void {
    this.#borrower = borrower
  }

  #read(buffer: Buffer, length: number): boolean {
    const chunk = buffer.subarray(0, length)
    if (length === this.#size && length < MOST_BYTES) this.#grow()
    const waiting = this.#socket?.readableLength ?? 0
    if (this.#borrower !== undefined && waiting === 0) {
      this.#borrower(chunk, () => this.#keep(buffer))
      return true
    }
    const more = this.#socket?.push(Buffer.from(chunk)) ?? false
    this.#keep(buffer)
    return more
  }

  /** There was more than fitted: whoever types does not fill a buffer. */
  #grow(): void {
    this.#size = Math.min(4 * this.#size, MOST_BYTES)
    this.#idle.length = 0
  }

  #keep(buffer: Buffer): void {
    if (buffer.length === this.#size && this.#idle.length < KEPT) this.#idle.push(buffer)
  }
}
