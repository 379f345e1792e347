import type { Socket } from 'node:net'

/** Up to this size, parts are copied into one buffer: quicker than as separate writes, or as a string. */
const JOINED = 16 * 1024
/** Smaller parts (on average) are joined: Node keeps hundreds of bytes for each write that waits. */
const SMALL_PART = 512

/** Collects writes, so that a head and its body leave in one packet. */
export class Output {
  readonly #socket: Socket
  #parts: (string | Buffer)[] = []
  #size = 0
  /** Buffers were passed to the socket and may not be written yet. */
  #writing = false
  /** The kernel has taken each write at once so far; TLS never does. */
  #isTakenAtOnce = true

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
    const first = parts[0] as string | Buffer
    if (parts.length === 1 && typeof first === 'string') return socket.write(first, 'latin1')
    if (size <= JOINED || size < parts.length * SMALL_PART) return this.#writeJoined(parts, size)
    this.#writing = true
    if (parts.length === 1) return write(socket, first)
    socket.cork()
    let more = true
    for (const part of parts) more = write(socket, part)
    socket.uncork()
    return more
  }

  #writeJoined(parts: readonly (string | Buffer)[], size: number): boolean {
    const socket = this.#socket
    if (socket.writableLength > 0) {
      // A slice of Node's shared pool would keep the whole pool in memory while it waits.
      return socket.write(joined(parts, Buffer.allocUnsafeSlow(size)))
    }
    if (!this.#isTakenAtOnce || socket.connecting || size > JOINED)
      return socket.write(joined(parts, Buffer.allocUnsafe(size)))
    const block = spare ?? Buffer.allocUnsafeSlow(JOINED)
    spare = undefined
    const more = socket.write(joined(parts, block.subarray(0, size)))
    this.#isTakenAtOnce = socket.writableLength === 0
    if (this.#isTakenAtOnce) spare = block
    return more
  }
}

/** Memory for writes that the kernel takes at once, as most are: allocating some for each took a tenth of a call's time. */
let spare: Buffer | undefined

function joined(parts: readonly (string | Buffer)[], whole: Buffer): Buffer {
  let at = 0
  for (const part of parts) at += typeof part === 'string' ? whole.write(part, at, 'latin1') : part.copy(whole, at)
  return whole
}

const write = (socket: Socket, part: string | Buffer): boolean =>
  typeof part === 'string' ? socket.write(part, 'latin1') : socket.write(part)
