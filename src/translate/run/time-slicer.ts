/** Longest time that a task may block the event loop, in milliseconds. */
const SLICE_MS = 1

/**
 * Shares the event loop between long tasks. A task on large data works in time slices and waits between them; one
 * waiting task continues in each turn of the event loop, so that ten large responses delay a tunnel no longer than one
 * does.
 */
export class TimeSlicer {
  readonly #waiting: (() => void)[] = []
  #since = 0

  /** Waits for a time slice; call it before starting to work. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    if (this.#waiting.length === 1) setImmediate(this.#next)
    return promise
  }

  /** The time slice is used up: call `turn`. */
  get over(): boolean {
    return performance.now() - this.#since > SLICE_MS
  }

  // An immediate scheduled during a turn runs in the next one (Node's documentation, setImmediate).
  readonly #next = (): void => {
    this.#since = performance.now()
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
