const BLOCK = 4096

/** The last bytes of a stream, in blocks. The oldest goes to `dropped` before it is overwritten: copy it to keep it. */
export class Tail {
  readonly #most: number
  readonly #dropped: (bytes: Buffer) => void
  readonly #blocks: Buffer[] = []
  /** Number of bytes in the last block. */
  #filled = BLOCK

  /** `room`: limit of its memory in bytes. */
  constructor(room: number, dropped: (bytes: Buffer) => void) {
    this.#most = Math.floor(room / BLOCK)
    this.#dropped = dropped
  }

  /** Memory use in bytes. */
  get held(): number {
    return this.#blocks.length * BLOCK
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const last = (this.#filled < BLOCK ? this.#blocks.at(-1) : undefined) ?? this.#nextBlock()
      const taken = chunk.copy(last, this.#filled, at)
      this.#filled += taken
      at += taken
    }
  }

  /** A copy of the content. */
  get bytes(): Buffer {
    return Buffer.concat(this.#blocks, this.held - BLOCK + this.#filled)
  }

  #nextBlock(): Buffer {
    const oldest = this.#blocks.length < this.#most ? undefined : this.#blocks.shift()
    if (oldest !== undefined) this.#dropped(oldest)
    const block = oldest ?? Buffer.allocUnsafeSlow(BLOCK)
    this.#blocks.push(block)
    this.#filled = 0
    return block
  }
}
