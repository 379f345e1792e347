/** How long a piece of work may hold up everything else, in milliseconds. */
const SLICE_MS = 1

/**
 * Takes turns with everything else that the event loop has to do. Whoever works on something large does it in slices
 * and asks between them; of all who wait, one goes on in each turn of the loop, so that ten large answers hold up a
 * tunnel no longer than one does.
 */
export class TimeSlicer {
  readonly #waiting: (() => void)[] = []
  #since = 0

  /** Waits for a turn; to be called first, before any work. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    if (this.#waiting.length === 1) setImmediate(this.#next)
    return promise
  }

  /** Whether the slice is used up: then it is time for `turn`. */
  get over(): boolean {
    return performance.now() - this.#since > SLICE_MS
  }

  // A callback made during a turn of immediates runs in the next one (Node's documentation, setImmediate).
  readonly #next = (): void => {
    this.#since = performance.now()
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
