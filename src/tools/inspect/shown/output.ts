import { Demultiplexer, formatOf } from '../../../audit/session/demultiplexer.ts'
import { type LineStart, Lines, LONGEST_LINE, nextStart } from './lines.ts'
import { Tail } from './tail.ts'

/**
 * Program output, with or without the frames of attach and logs. Searching all of it for secrets would be slower than
 * its arrival, and most is not kept: the end waits as it came, and is read when it is looked at.
 */
export class Output {
  readonly #secrets: ReadonlySet<string>
  readonly #tail: Tail
  /** Format of the stream and state of its lines where the kept part begins. */
  #frames: Demultiplexer | 'plain' | undefined
  readonly #starts = new Map<number, LineStart>()
  #forgotten = 0

  /** `limit`: bytes kept from the end. */
  constructor(limit: number, secrets: ReadonlySet<string>) {
    this.#secrets = secrets
    // the rest of the line in which the kept part begins is not shown
    this.#tail = new Tail(limit + LONGEST_LINE, (bytes) => this.#pass(bytes))
  }

  get held(): number {
    return this.#tail.held
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk)
  }

  get end(): { readonly text: string; readonly forgotten: number } {
    const { bytes } = this.#tail
    const lines = new Lines(this.#starts, this.#secrets)
    const frames = this.#frames instanceof Demultiplexer ? this.#frames.fork() : (this.#frames ?? formatOf(bytes))
    const parts = piecesOf(frames, bytes).map(({ stream, bytes: payload }) => lines.read(stream, payload))
    return { text: parts.join('') + lines.pending, forgotten: this.#forgotten + lines.lost }
  }

  #pass(bytes: Buffer): void {
    this.#frames ??= formatOf(bytes)
    for (const [stream, pieces] of Map.groupBy(piecesOf(this.#frames, bytes), ({ stream }) => stream)) {
      const payload = Buffer.concat(pieces.map((piece) => piece.bytes))
      this.#starts.set(stream, nextStart(this.#starts.get(stream), payload))
      this.#forgotten += payload.length
    }
  }
}

function piecesOf(frames: Demultiplexer | 'plain' | undefined, bytes: Buffer): { stream: number; bytes: Buffer }[] {
  if (frames === undefined) return []
  return frames === 'plain' ? [{ stream: 0, bytes }] : frames.push(bytes)
}
