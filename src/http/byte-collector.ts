const FIRST_BYTES = 1024
/** Large bodies get few large blocks: a small block that is still in use can keep the C library from giving memory back. */
const MAX_BYTES = 1024 * 1024

/**
 * Collects the pieces of a body. Small and lent ones share a block, so that a body in one-byte chunks does not need a
 * buffer for each.
 */
export class ByteCollector {
  readonly #parts: Buffer[] = []
  /** Room for small pieces; its first `#used` bytes are not among the parts yet. */
  #block: Buffer | undefined
  #used = 0
  size = 0

  /** `lent`: large pieces are copied, too, since their owner will reuse the buffer. A body of one such piece needs no block. */
  add(piece: Buffer, lent = false): void {
    const isFirst = this.size === 0
    this.size += piece.length
    if (piece.length < FIRST_BYTES || (lent && !isFirst)) {
      this.#copy(piece)
      return
    }
    this.#seal()
    this.#parts.push(lent ? Buffer.from(piece) : piece)
  }

  whole(): Buffer {
    this.#seal()
    const [only = Buffer.alloc(0)] = this.#parts
    return this.#parts.length > 1 ? Buffer.concat(this.#parts, this.size) : only
  }

  clear(): void {
    this.#parts.length = 0
    this.#block = undefined
    this.#used = 0
    this.size = 0
  }

  #copy(piece: Buffer): void {
    if (this.#block === undefined || this.#used + piece.length > this.#block.length) {
      this.#seal()
      const room = Math.min(MAX_BYTES, Math.max(FIRST_BYTES, this.size))
      this.#block = Buffer.allocUnsafeSlow(Math.max(piece.length, room))
    }
    piece.copy(this.#block, this.#used)
    this.#used += piece.length
  }

  #seal(): void {
    if (this.#block === undefined || this.#used === 0) return
    this.#parts.push(this.#block.subarray(0, this.#used))
    this.#block = this.#block.subarray(this.#used)
    this.#used = 0
  }
}
