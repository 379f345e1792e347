import { ChunkReader, type ChunkSink } from './chunks/chunks.ts'
import type { Framing } from './framing.ts'

/** Finds the end of a body in the bytes of a connection. */
export class BodyReader {
  readonly #framing: Framing
  readonly #chunks: ChunkReader | undefined
  #left: number
  #closed = false

  constructor(framing: Framing) {
    this.#framing = framing
    this.#left = framing.kind === 'length' ? framing.length : 0
    this.#chunks = framing.kind === 'chunked' ? new ChunkReader() : undefined
  }

  get done(): boolean {
    if (this.#chunks !== undefined) return this.#chunks.done
    return this.#framing.kind === 'until-close' ? this.#closed : this.#left === 0
  }

  /** Reads from `at`; returns the end of the body, or of the bytes. Throws `Malformed`. */
  feed(bytes: Buffer, at: number, sink: ChunkSink): number {
    if (this.#chunks !== undefined) return this.#chunks.feed(bytes, at, sink)
    if (this.#framing.kind === 'until-close') {
      if (at < bytes.length) sink.data(bytes.subarray(at), 0)
      return bytes.length
    }
    const end = Math.min(bytes.length, at + this.#left)
    if (end === at) return at
    this.#left -= end - at
    sink.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), 0)
    return end
  }

  /** The connection ended. Returns whether that completes the body. */
  ended(): boolean {
    if (this.#framing.kind === 'until-close') this.#closed = true
    return this.done
  }
}
