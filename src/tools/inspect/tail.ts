/** What it begins with; it grows with what waits in it. */
const SMALLEST = 1024
/** What has no room any more goes in pieces that are worth the going, however small the chunks are that come. */
const STEP = 4096

/**
 * The last bytes of a stream, as they came, in a ring. What has no room any more is handed to `dropped`, in order, before
 * it is overwritten: who wants to keep of it has to copy it.
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

  /** How many bytes wait in it. */
  get size(): number {
    return this.#size
  }

  /** What it takes of memory. */
  get held(): number {
    return this.#ring.length
  }

  push(chunk: Buffer): void {
    if (this.#size + chunk.length > this.#room) this.#drop(Math.max(STEP, this.#size + chunk.length - this.#room))
    const over = chunk.length - this.#room
    if (over > 0) this.#dropped(chunk.subarray(0, over))
    this.#add(over > 0 ? chunk.subarray(over) : chunk)
  }

  /** What waits, in order; it is the caller's. */
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

  /** The oldest bytes: two parts where they go round the end. */
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
