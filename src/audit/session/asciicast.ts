import { StringDecoder } from 'node:string_decoder'

/** asciicast v2 (docs.asciinema.org/manual/asciicast/v2): a header line, then one event a line. */

export interface CastHeader {
  readonly width: number
  readonly height: number
  /** When it began, in seconds since 1970. */
  readonly timestamp: number
  readonly title: string
}

/** `o`: to the terminal, `i`: typed, `r`: resized, `m`: a marker. */
export type EventCode = 'o' | 'i' | 'r' | 'm'

export const headerLine = (header: CastHeader): string => `${JSON.stringify({ version: 2, ...header })}\n`

export const eventLine = (seconds: number, code: EventCode, data: string): string =>
  `[${seconds.toFixed(6)}, "${code}", ${JSON.stringify(data)}]\n`

/** Text out of chunks that may end within a character. */
export class Decoder {
  readonly #decoder = new StringDecoder('utf8')

  text(chunk: Buffer): string {
    return this.#decoder.write(chunk)
  }
}

const HEADER = 8

/**
 * The frames of a stream without a terminal: a byte that names the stream (0 stdin, 1 stdout, 2 stderr), three zeros, the
 * length, the bytes (docs/api/v1.18.md, attach to a container). Frames are not held: what has come of one is passed on.
 */
export class Demultiplexer {
  #head = Buffer.alloc(0)
  #left = 0
  #stream = 0

  /** Whether bytes begin as a frame does; undefined while too few have come. */
  static recognises(start: Buffer): boolean | undefined {
    if (start.length < HEADER) return undefined
    return (start[0] ?? 9) <= 2 && start[1] === 0 && start[2] === 0 && start[3] === 0
  }

  /** The pieces of payload in a chunk, each with its stream. */
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

  #takeHead(chunk: Buffer): Buffer {
    // Mostly it is there whole; a log has one for each line.
    if (this.#head.length === 0 && chunk.length >= HEADER) {
      this.#stream = chunk[0] ?? 0
      this.#left = chunk.readUInt32BE(4)
      return chunk.subarray(HEADER)
    }
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
