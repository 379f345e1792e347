import { type Fields, readTrailers } from './head.ts'
import { Malformed } from './malformed.ts'

/** Takes the payload of chunks. `begins`: the size of the chunk that this piece begins, 0 inside one. */
export interface ChunkSink {
  data(piece: Buffer, begins: number): void
}

/** Bounds what stands beside the payload, in bytes of one message. */
const MOST_EXTENSIONS = 16 * 1024
const MOST_TRAILERS = 16 * 1024
/** Sizes have at most this many digits: more could not be told exactly. */
const MOST_DIGITS = 13
/** `SIZE[;extensions]` (RFC 9112, 7.1.1), no white space around the size. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,13})(;[\t\x20-\x7e\x80-\xff]*)?$/

const CR = 0x0d
const LF = 0x0a

/** Fields that say where a message ends or whom it is for: in a trailer they are an attack (RFC 9110, 6.5.1). */
const NOT_IN_TRAILERS = new Set(['content-length', 'transfer-encoding', 'host', 'connection', 'trailer', 'upgrade'])

function checkTrailers(fields: Fields): void {
  for (let i = 0; i < fields.length; i += 2)
    if (NOT_IN_TRAILERS.has(fields[i]?.toLowerCase() ?? '')) throw new Malformed('a field that must not be a trailer')
}

type State = 'size' | 'payload' | 'payload-end' | 'trailers' | 'done'

/** Reads a chunked body (RFC 9112, 7.1), strictly: CRLF alone ends a line. Extensions and trailers are dropped. */
export class ChunkReader {
  #state: State = 'size'
  #left = 0
  #begins = 0
  /** Of the line, or the trailers, that are being read. */
  #line = ''
  #beside = 0

  get done(): boolean {
    return this.#state === 'done'
  }

  /** Reads on at `at`; returns where it stopped: behind the body where it is done, else at the end. Throws `Malformed`. */
  feed(bytes: Buffer, at: number, sink: ChunkSink): number {
    let from = at
    while (from < bytes.length && this.#state !== 'done') {
      if (this.#state === 'payload') from = this.#payload(bytes, from, sink)
      else from = this.#lineOf(bytes, from)
    }
    return from
  }

  #payload(bytes: Buffer, at: number, sink: ChunkSink): number {
    const end = Math.min(bytes.length, at + this.#left)
    const begins = this.#begins
    this.#begins = 0
    this.#left -= end - at
    if (this.#left === 0) this.#state = 'payload-end'
    sink.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), begins)
    return end
  }

  /** Gathers up to the LF of a line, then takes it. */
  #lineOf(bytes: Buffer, at: number): number {
    const found = bytes.indexOf(LF, at)
    const end = found === -1 ? bytes.length : found + 1
    const limit = this.#state === 'trailers' ? MOST_TRAILERS : MOST_EXTENSIONS
    if (this.#beside + end - at > limit) throw new Malformed('chunk extensions or trailers are too large', 413)
    if (this.#state !== 'payload-end') this.#beside += end - at
    this.#line += bytes.toString('latin1', at, end)
    this.#checkSoFar(found !== -1)
    if (found !== -1) this.#takeLine()
    return end
  }

  /** What cannot become a line is refused before its end comes. */
  #checkSoFar(whole: boolean): void {
    const line = this.#line
    if (this.#state === 'payload-end') {
      if (line.length > 2 || line.charCodeAt(0) !== CR) throw new Malformed('a chunk is longer than its size')
    } else if (whole && line.charCodeAt(line.length - 2) !== CR) throw new Malformed('a chunk line ends without CRLF')
    else if (!whole && this.#state === 'size' && !/^[0-9A-Fa-f]{0,13}($|[;\r])/.test(line))
      throw new Malformed('invalid chunk size')
  }

  #takeLine(): void {
    const line = this.#line
    if (this.#state === 'trailers') {
      // The empty line ends them; until then they are gathered.
      if (line !== '\r\n' && !line.endsWith('\r\n\r\n')) return
      checkTrailers(readTrailers(line.slice(0, -2)))
      this.#state = 'done'
    } else if (this.#state === 'payload-end') this.#state = 'size'
    else this.#takeSize(line.slice(0, -2))
    this.#line = ''
  }

  #takeSize(line: string): void {
    const found = SIZE_LINE.exec(line)
    if (found === null) throw new Malformed('invalid chunk size')
    const digits = found[1] ?? ''
    if (digits.length === line.length) this.#beside -= line.length + 2 // no extension: nothing to bound
    this.#left = Number.parseInt(digits, 16)
    this.#begins = this.#left
    this.#state = this.#left === 0 ? 'trailers' : 'payload'
    if (!Number.isSafeInteger(this.#left)) throw new Malformed(`a chunk size has more than ${MOST_DIGITS} digits`)
  }
}
