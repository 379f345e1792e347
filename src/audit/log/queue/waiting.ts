const BATCH = 1024 * 1024
/** What lines may hold in memory, in characters. */
const HELD = 64 * 1024 * 1024

interface Line {
  readonly text: string
  waiter: { resolve(): void; reject(cause: Error): void } | undefined
}

/** Lines that wait to be written, in order, and the batch that is being written. */
export class WaitingLines {
  readonly #limit: number
  #lines: Line[] = []
  #held = 0
  #awaited = 0
  #batch: readonly Line[] = []

  /** `limit`: how many lines may wait. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Lines that are not in the batch. */
  get next(): number {
    return this.#lines.length
  }

  get all(): number {
    return this.#lines.length + this.#batch.length
  }

  /** In characters. */
  get held(): number {
    return this.#held
  }

  /** Lines that a call waits for, without the batch. */
  get awaited(): number {
    return this.#awaited
  }

  /** The size of the next batch. */
  get coming(): number {
    return Math.min(this.#held, BATCH)
  }

  full(coming: number): boolean {
    return this.#lines.length >= this.#limit || this.#held + coming > HELD
  }

  /** `awaits`: the returned promise resolves when the line is written. */
  add(text: string, awaits: boolean): Promise<void> | undefined {
    const line: Line = { text, waiter: undefined }
    this.#lines.push(line)
    this.#held += text.length
    if (!awaits) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    line.waiter = { resolve, reject }
    this.#awaited++
    return promise
  }

  /** Begins a batch. */
  take(): string[] {
    let size = 0
    let count = 0
    for (const { text } of this.#lines) {
      if (size > 0 && size + text.length > BATCH) break
      size += text.length
      count++
    }
    this.#batch = this.#lines.splice(0, count)
    this.#held -= size
    for (const { waiter } of this.#batch) if (waiter !== undefined) this.#awaited--
    return this.#batch.map(({ text }) => text)
  }

  written(): void {
    for (const { waiter } of this.#batch) waiter?.resolve()
    this.#batch = []
  }

  /** No call waits any longer; the lines are still written. */
  refuse(cause: () => Error): void {
    for (const line of [...this.#batch, ...this.#lines]) {
      line.waiter?.reject(cause())
      line.waiter = undefined
    }
    this.#awaited = 0
  }
}
