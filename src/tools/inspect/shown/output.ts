import { Demultiplexer } from '../../../audit/session/demultiplexer.ts'
import { inLines } from './known-secrets.ts'
import { Lines, LONGEST_LINE, type Told } from './lines.ts'
import { Tail } from './tail.ts'

/** Receives the stream's progress. */
interface Keeper extends Told {
  /** Bytes are skipped: the current line ends here. */
  gap(): void
  /** Buffered bytes have been read by timer. */
  changed(): void
}

/** Longest time that bytes stay unread. */
const READ_AFTER_MS = 1000

/**
 * Program output, with or without the frames of attach and logs. Scanning all of it would be slower than its arrival,
 * and most is not kept: the latest bytes are buffered unread until a viewer asks or a second has passed. Bytes beyond
 * the buffer in that time are skipped.
 */
export class Output {
  readonly #secrets: ReadonlySet<string>
  readonly #tail: Tail
  readonly #keeper: Keeper
  /** For stdin, stdout, stderr; without frames, the first gets everything. */
  readonly #streams: readonly [Lines, Lines, Lines]
  /** Undefined until the format is known. */
  #frames: Demultiplexer | 'plain' | undefined
  #start: Buffer = Buffer.alloc(0)
  #timer: NodeJS.Timeout | undefined

  /** `limit`: bytes kept from the end. */
  constructor(limit: number, secrets: ReadonlySet<string>, keeper: Keeper) {
    this.#secrets = secrets
    this.#keeper = keeper
    this.#streams = [new Lines(keeper), new Lines(keeper), new Lines(keeper)]
    // after a gap the rest of a line is skipped too
    this.#tail = new Tail(limit + LONGEST_LINE, (bytes) => this.#pass(bytes))
  }

  /** Number of unread bytes. */
  get unread(): number {
    return this.#tail.size
  }

  get held(): number {
    return this.#streams.reduce((sum, { waiting }) => sum + waiting, this.#tail.held)
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk)
    this.#timer ??= setTimeout(() => this.#readUnasked(), READ_AFTER_MS).unref()
  }

  #readUnasked(): void {
    this.read()
    this.#keeper.changed()
  }

  /** Reads the buffered bytes. */
  read(): void {
    this.letGo()
    if (this.#tail.size === 0) return
    const known = inLines(this.#secrets)
    for (const bytes of this.#tail.take())
      for (const { lines, payload } of this.#pieces(bytes)) lines.read(payload, known)
  }

  /** The output is no longer shown. */
  letGo(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  get pending(): string {
    const known = inLines(this.#secrets)
    return this.#streams.map((lines) => lines.pending(known)).join('')
  }

  #pass(bytes: Buffer): void {
    this.#keeper.gap()
    const passed = new Map<Lines, Buffer[]>()
    for (const { lines, payload } of this.#pieces(bytes)) {
      const payloads = passed.get(lines)
      if (payloads === undefined) passed.set(lines, [payload])
      else payloads.push(payload)
    }
    for (const [lines, payloads] of passed) lines.pass(Buffer.concat(payloads))
  }

  #pieces(bytes: Buffer): { lines: Lines; payload: Buffer }[] {
    const whole = this.#start.length === 0 ? bytes : Buffer.concat([this.#start, bytes])
    this.#frames ??= framesIn(whole)
    this.#start = this.#frames === undefined ? Buffer.from(whole) : Buffer.alloc(0)
    if (this.#frames === undefined) return []
    const [first] = this.#streams
    if (this.#frames === 'plain') return [{ lines: first, payload: whole }]
    return this.#frames.push(whole).map(({ stream, bytes }) => ({
      lines: this.#streams[stream] ?? first,
      payload: bytes,
    }))
  }
}

/** Undefined: more bytes are needed. A frame starts with 0, 1 or 2, which no text does. */
function framesIn(start: Buffer): Demultiplexer | 'plain' | undefined {
  if ((start[0] ?? 9) > 2) return 'plain'
  const framed = Demultiplexer.recognises(start)
  if (framed === undefined) return undefined
  return framed ? new Demultiplexer() : 'plain'
}
