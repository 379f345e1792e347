import type { Socket } from 'node:net'

/** Up to this size, output is written as one latin1 string, which libuv sends from its stack without another copy. */
const ONE_TEXT = 16 * 1024
/** Smaller parts (on average) are joined: Node keeps hundreds of bytes for each write that waits. */
const SMALL_PART = 512

/** Collects writes, so that a head and its body leave in one packet. */
export class Output {
  readonly #socket: Socket
  #parts: (string | Buffer)[] = []
  #size = 0
  /** Buffers were passed to the socket and may not be written yet. */
  #writing = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Whether any added buffer is not written yet. */
  get isWriting(): boolean {
    if (this.#writing && this.#socket.writableLength === 0) this.#writing = false
    return this.#writing || this.#size > 0
  }

  /** Strings are latin1. */
  add(part: string | Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#size += part.length
  }

  /** Returns false when the peer does not keep up. */
  flush(): boolean {
    const socket = this.#socket
    if (this.#size === 0) return !socket.writableNeedDrain
    const parts = this.#parts
    const size = this.#size
    this.#parts = []
    this.#size = 0
    if (!socket.writable) return true // closed: drop the output
    if (size <= ONE_TEXT) return socket.write(asText(parts), 'latin1')
    if (size < parts.length * SMALL_PART) return socket.write(Buffer.from(asText(parts), 'latin1'))
    this.#writing = true
    if (parts.length === 1) return write(socket, parts[0] as string | Buffer)
    socket.cork()
    let more = true
    for (const part of parts) more = write(socket, part)
    socket.uncork()
    return more
  }
}

function asText(parts: readonly (string | Buffer)[]): string {
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : part.toString('latin1')
  return text
}

const write = (socket: Socket, part: string | Buffer): boolean =>
  typeof part === 'string' ? socket.write(part, 'latin1') : socket.write(part)
