import type { Link } from './chain.ts'

/** Most lines are 700 bytes long; a longer one gets a block of its own. */
const BLOCK_BYTES = 128 * 1024

/** A call that waits for its line. */
interface Waiter {
  resolve(): void
  reject(cause: Error): void
}

/** Lines that are written together. They are bytes at once: as strings, V8 would copy them while they wait. */
export class Block {
  readonly #memory: Buffer
  #used = 0
  #lines = 0
  #waiters: Waiter[] = []
  /** The last of its lines in a chain. */
  link: Link | undefined

  /** For a first line of that many bytes; the memory of a block that was written is used again. */
  constructor(bytes: number, written?: Block) {
    const memory = written?.memory
    this.#memory = memory !== undefined && memory.length >= bytes ? memory : allocate(bytes)
  }

  /** Undefined: too large to be kept. */
  get memory(): Buffer | undefined {
    return this.#memory.length === BLOCK_BYTES ? this.#memory : undefined
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#used)
  }

  get lines(): number {
    return this.#lines
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  hasRoomFor(bytes: number): boolean {
    return this.#used + bytes <= this.#memory.length
  }

  add(line: string): void {
    this.#used += this.#memory.write(line, this.#used)
    this.#lines++
  }

  /** Resolves when the block is on disk. */
  stored(): Promise<void> {
    const { promise, ...waiter } = Promise.withResolvers<void>()
    this.#waiters.push(waiter)
    return promise
  }

  resolve(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.resolve()
  }

  reject(refusal: () => Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(refusal())
  }
}

/** Not from Node's pool, which small buffers share. */
const allocate = (bytes: number): Buffer => Buffer.allocUnsafeSlow(Math.max(bytes, BLOCK_BYTES))
