/** Something with a timeout. */
export interface Timed {
  /** When it expires, on the clock of its `Deadlines`; 0: never. */
  deadline: number
  expired(): void
}

const MIN_TICK_MS = 10
const MAX_TICK_MS = 500

/** One timer for all connections: setting a timeout is an assignment. Timeouts come 0 to 2 ticks late, never early. */
export class Deadlines {
  readonly #tickMs: number
  readonly #timed = new Set<Timed>()
  #timer: NodeJS.Timeout | undefined
  #now = 0

  /** `shortestMs`: the shortest timeout in use. */
  constructor(shortestMs: number) {
    this.#tickMs = Math.max(MIN_TICK_MS, Math.min(MAX_TICK_MS, shortestMs / 8))
  }

  add(timed: Timed): void {
    this.#timed.add(timed)
    if (this.#timer !== undefined) return
    this.#now = performance.now()
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref()
  }

  delete(timed: Timed): void {
    this.#timed.delete(timed)
    if (this.#timed.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The deadline `ms` from now; 0 ms: never. */
  in(ms: number): number {
    return ms === 0 ? 0 : this.#now + ms + this.#tickMs
  }

  #tick(): void {
    this.#now = performance.now()
    for (const timed of this.#timed) {
      if (timed.deadline === 0 || timed.deadline > this.#now) continue
      timed.deadline = 0
      timed.expired()
    }
  }
}
