import { Demultiplexer } from '../../../audit/session/asciicast.ts'
import { Tail } from '../tail.ts'
import { inLines } from './known-secrets.ts'
import { Lines, LONGEST_LINE, type Told } from './lines.ts'

/** Who is told what becomes of the stream. */
interface Keeper extends Told {
  /** Something is passed over: what came before it is over. */
  gap(): void
  /** What waited has been read, without anybody asking. */
  changed(): void
}

/** What has come waits for no longer, unread as it is. */
const READ_AFTER_MS = 1000

/**
 * What programs write, with or without the frames of attach and logs. To look through all of it would be slower than it
 * comes, and most of it is not kept: its end waits, as it came, until somebody looks or a second is over. What has no
 * room in that time is passed over.
 */
export class Output {
  readonly #secrets: ReadonlySet<string>
  readonly #tail: Tail
  readonly #keeper: Keeper
  /** Of stdin, stdout, stderr; without frames the first has all. */
  readonly #streams: readonly [Lines, Lines, Lines]
  /** Undefined until it is known whether frames come. */
  #frames: Demultiplexer | 'plain' | undefined
  #start: Buffer = Buffer.alloc(0)
  #timer: NodeJS.Timeout | undefined
  #cleaned = 0

  /** `limit`: how much of its end is wanted. */
  constructor(limit: number, secrets: ReadonlySet<string>, keeper: Keeper) {
    this.#secrets = secrets
    this.#keeper = keeper
    this.#streams = [new Lines(keeper), new Lines(keeper), new Lines(keeper)]
    // after a gap the rest of a line goes too
    this.#tail = new Tail(limit + LONGEST_LINE, (bytes) => this.#pass(bytes))
  }

  /** How many bytes wait to be read. */
  get unread(): number {
    return this.#tail.size
  }

  get held(): number {
    return this.#streams.reduce((sum, { waiting }) => sum + waiting, this.#tail.held)
  }

  /** How many bytes were looked through for secrets. */
  get cleaned(): number {
    return this.#cleaned
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk)
    this.#timer ??= setTimeout(() => this.#readUnasked(), READ_AFTER_MS).unref()
  }

  #readUnasked(): void {
    this.read()
    this.#keeper.changed()
  }

  /** Reads what waits. */
  read(): void {
    this.letGo()
    if (this.#tail.size === 0) return
    const known = inLines(this.#secrets)
    for (const bytes of this.#tail.take()) {
      this.#cleaned += bytes.length
      for (const { lines, payload } of this.#pieces(bytes)) lines.read(payload, known)
    }
  }

  /** Nobody will ask any more. */
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

/** Undefined: more has to come. A frame begins with 0, 1 or 2, which no text does. */
function framesIn(start: Buffer): Demultiplexer | 'plain' | undefined {
  if ((start[0] ?? 9) > 2) return 'plain'
  const framed = Demultiplexer.recognises(start)
  if (framed === undefined) return undefined
  return framed ? new Demultiplexer() : 'plain'
}
