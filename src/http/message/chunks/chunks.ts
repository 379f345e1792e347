import { Malformed } from '../../errors.ts'
import { CR, LF } from '../characters.ts'
import { type ExtensionState, nextInExtension } from './chunk-extension.ts'
import { TrailerReader } from './trailers.ts'

/** Receives the payload. `begins`: the size of the chunk that the piece begins; 0 within a chunk. */
export interface ChunkSink {
  data(piece: Buffer, begins: number): void
}

/** Bytes of all extensions of a message. */
const MAX_EXTENSIONS = 16 * 1024
/** Larger sizes would exceed the exact integers of a double. */
const MAX_DIGITS = 13
const SEMICOLON = 0x3b

type State = 'size' | 'extension' | 'size-lf' | 'payload' | 'payload-cr' | 'payload-lf' | 'trailers' | 'done'

/**
 * Reads a chunked body (RFC 9112, 7.1) strictly: lines end in CRLF, no whitespace. Extensions and trailers are dropped.
 * Lines are validated byte by byte without buffering.
 */
export class ChunkReader {
  #state: State = 'size'
  #left = 0
  #begins = 0
  #digits = 0
  #extension: ExtensionState = 'semicolon'
  #extensions = 0
  #trailers: TrailerReader | undefined

  get done(): boolean {
    return this.#state === 'done'
  }

  /** Reads from `at`; returns the end of the body, or of the bytes. Throws `Malformed`. */
  feed(bytes: Buffer, at: number, sink: ChunkSink): number {
    let from = at
    while (from < bytes.length && this.#state !== 'done') {
      if (this.#state === 'payload') from = this.#payload(bytes, from, sink)
      else this.#take(bytes[from++] ?? 0)
    }
    return from
  }

  #payload(bytes: Buffer, at: number, sink: ChunkSink): number {
    const end = Math.min(bytes.length, at + this.#left)
    const begins = this.#begins
    this.#begins = 0
    this.#left -= end - at
    if (this.#left === 0) this.#state = 'payload-cr'
    sink.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), begins)
    return end
  }

  #take(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#takeSize(byte)
        return
      case 'extension':
        this.#takeExtension(byte)
        return
      case 'size-lf':
        if (byte !== LF) throw new Malformed('a chunk size line ends without CRLF')
        this.#beginChunk()
        return
      case 'payload-cr':
        if (byte !== CR) throw new Malformed('a chunk is longer than its size')
        this.#state = 'payload-lf'
        return
      case 'payload-lf':
        if (byte !== LF) throw new Malformed('a chunk ends without CRLF')
        this.#state = 'size'
        return
      case 'trailers':
        this.#trailers ??= new TrailerReader()
        if (this.#trailers.take(byte)) this.#state = 'done'
        return
      case 'payload':
      case 'done':
        return
      default:
        this.#state satisfies never
    }
  }

  #takeSize(byte: number): void {
    const digit = digitOf(byte)
    if (digit !== undefined) {
      if (++this.#digits > MAX_DIGITS) throw new Malformed(`a chunk size has more than ${MAX_DIGITS} digits`)
      this.#left = this.#left * 16 + digit
      return
    }
    if (this.#digits === 0 || (byte !== CR && byte !== SEMICOLON)) throw new Malformed('invalid chunk size')
    this.#extension = 'semicolon'
    this.#state = byte === CR ? 'size-lf' : 'extension'
  }

  #takeExtension(byte: number): void {
    if (++this.#extensions > MAX_EXTENSIONS)
      throw new Malformed(`chunk extensions are larger than ${MAX_EXTENSIONS} bytes`, 'body-too-large')
    const next = nextInExtension(this.#extension, byte)
    if (next === undefined) throw new Malformed('invalid chunk extension')
    if (next === 'end') this.#state = 'size-lf'
    else this.#extension = next
  }

  #beginChunk(): void {
    this.#digits = 0
    this.#begins = this.#left
    this.#state = this.#left === 0 ? 'trailers' : 'payload'
  }
}

function digitOf(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
