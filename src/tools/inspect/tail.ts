/** Initial size; it grows with its content. */
const SMALLEST = 1024
/** Overflowing bytes are dropped in pieces of at least this size, even if they arrive in small chunks. */
const STEP = 4096

/**
 * The last bytes of a stream in a ring buffer. Overflowing bytes are passed to `dropped`, in order, before they are
 * overwritten: copy them to keep them.
 */
export class Tail {
  readonly #room: number
  readonly #dropped: (bytes: Buffer) => void
  #ring: Buffer = Buffer.alloc(0)
  #start = 0
  #size = 0

  constructor(room: number, dropped: (bytes: Buffer) => void) {
    this.#room = room
    this.#dropped = dropped
  }

  /** Number of bytes in it. */
  get size(): number {
    return this.#size
  }

  /** Memory use in bytes. */
  get held(): number {
    return this.#ring.length
  }

  push(chunk: Buffer): void {
    if (this.#size + chunk.length > this.#room) this.#drop(Math.max(STEP, this.#size + chunk.length - this.#room))
    const over = chunk.length - this.#room
    if (over > 0) this.#dropped(chunk.subarray(0, over))
    this.#add(over > 0 ? chunk.subarray(over) : chunk)
  }

  /** The content in order; owned by the caller. */
  take(): Buffer[] {
    const parts = this.#first(this.#size)
    this.#ring = Buffer.alloc(0)
    this.#start = 0
    this.#size = 0
    return parts
  }

  #drop(wanted: number): void {
    const count = Math.min(wanted, this.#size)
    for (const part of this.#first(count)) this.#dropped(part)
    this.#start = (this.#start + count) % Math.max(1, this.#ring.length)
    this.#size -= count
  }

  /** The oldest bytes: two parts if they wrap around. */
  #first(count: number): Buffer[] {
    const end = Math.min(this.#start + count, this.#ring.length)
    const parts = [this.#ring.subarray(this.#start, end), this.#ring.subarray(0, count - (end - this.#start))]
    return parts.filter(({ length }) => length > 0)
  }

  #add(bytes: Buffer): void {
    this.#grow(this.#size + bytes.length)
    const at = (this.#start + this.#size) % Math.max(1, this.#ring.length)
    const before = bytes.copy(this.#ring, at)
    bytes.copy(this.#ring, 0, before)
    this.#size += bytes.length
  }

  #grow(needed: number): void {
    if (needed <= this.#ring.length) return
    const ring = Buffer.allocUnsafeSlow(Math.min(this.#room, Math.max(SMALLEST, 2 * needed)))
    let at = 0
    for (const part of this.#first(this.#size)) at += part.copy(ring, at)
    this.#ring = ring
    this.#start = 0
  }
}
