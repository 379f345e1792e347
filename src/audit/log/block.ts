import type { Link } from './chain.ts'

/** Records that are written together. They are bytes at once: as strings, V8 would copy them while they wait. */
export class Block {
  readonly memory: Buffer
  records = 0
  #used = 0
  /** Calls that wait for their records. */
  #waiters: PromiseWithResolvers<void>[] = []
  /** Where the chain stands after its last record. */
  link: Link | undefined

  constructor(memory: Buffer) {
    this.memory = memory
  }

  get bytes(): Buffer {
    return this.memory.subarray(0, this.#used)
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  hasRoomFor(bytes: number): boolean {
    return this.#used + bytes <= this.memory.length
  }

  add(record: string): void {
    this.#used += this.memory.write(record, this.#used)
    this.records++
  }

  /** Settles with the block. */
  untilStored(): Promise<void> {
    const waiter = Promise.withResolvers<void>()
    this.#waiters.push(waiter)
    return waiter.promise
  }

  resolve(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.resolve()
  }

  reject(refusal: () => Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(refusal())
  }
}
