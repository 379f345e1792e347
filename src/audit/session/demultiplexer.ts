const HEADER = 8

/** The format of output that does not declare it, by its first bytes; undefined: more are needed. No text begins as a frame does. */
export function formatOf(start: Buffer): Demultiplexer | 'plain' | undefined {
  if ((start[0] ?? 9) > 2) return 'plain'
  if (start.length < HEADER) return undefined
  return start[1] === 0 && start[2] === 0 && start[3] === 0 ? new Demultiplexer() : 'plain'
}

/**
 * Demultiplexes a stream without a terminal: frames of a stream byte (0 stdin, 1 stdout, 2 stderr), three zeros, the
 * length and the payload (docs/api/v1.18.md, attach to a container). Partial frames are passed on.
 */
export class Demultiplexer {
  #head = Buffer.alloc(0)
  #left = 0
  #stream = 0

  /** Payload pieces in a chunk, with their streams. */
  push(chunk: Buffer): { stream: number; bytes: Buffer }[] {
    const pieces: { stream: number; bytes: Buffer }[] = []
    let rest = chunk
    while (rest.length > 0) {
      if (this.#left === 0) rest = this.#takeHead(rest)
      const bytes = rest.subarray(0, this.#left)
      rest = rest.subarray(bytes.length)
      this.#left -= bytes.length
      if (bytes.length > 0) pieces.push({ stream: this.#stream, bytes })
    }
    return pieces
  }

  /** A copy that reads on from here by itself. */
  fork(): Demultiplexer {
    const copy = new Demultiplexer()
    copy.#head = this.#head
    copy.#left = this.#left
    copy.#stream = this.#stream
    return copy
  }

  #takeHead(chunk: Buffer): Buffer {
    const wanted = HEADER - this.#head.length
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, wanted)])
    if (this.#head.length === HEADER) {
      this.#stream = this.#head[0] ?? 0
      this.#left = this.#head.readUInt32BE(4)
      this.#head = Buffer.alloc(0)
    }
    return chunk.subarray(wanted)
  }
}
