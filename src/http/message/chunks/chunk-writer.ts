import type { Output } from '../../output.ts'

/** Writes a chunked body with the chunk boundaries of its source. */
export class ChunkWriter {
  #left = 0

  /** `begins`: the size of the chunk that the piece begins; 0 within a chunk, or for a piece that is a whole chunk. */
  add(output: Output, piece: Buffer, begins: number): void {
    if (piece.length === 0) return
    if (this.#left === 0) {
      this.#left = begins === 0 ? piece.length : begins
      output.add(`${this.#left.toString(16)}\r\n`)
    }
    output.add(piece)
    this.#left -= piece.length
    if (this.#left === 0) output.add('\r\n')
  }

  end(output: Output): void {
    output.add('0\r\n\r\n')
  }
}
