import type { AuditRecord } from './record.ts'

const { performance } = globalThis // the global of that name is looked up by a getter each time

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** How long a call took, and who took it. */
export class Timing {
  readonly #started = performance.now()
  #asking: number | undefined
  #engine = 0
  #head: number | undefined

  /** A request is handed to the engine, or the rest of its answer is waited for. */
  asks(): void {
    this.#asking ??= performance.now()
  }

  /** The head of its answer has come, or all that was waited for. */
  heard(): void {
    if (this.#asking === undefined) return
    this.#engine += performance.now() - this.#asking
    this.#asking = undefined
  }

  /** The head of the answer goes to the client. */
  answered(): void {
    this.#head ??= performance.now()
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000
  }

  get durations(): NonNullable<AuditRecord['duration']> {
    const now = performance.now()
    const engine = this.#engine + (this.#asking === undefined ? 0 : now - this.#asking)
    const bridge = Math.max(0, (this.#head ?? now) - this.#started - engine)
    return { total: rounded(now - this.#started), engine: rounded(engine), bridge: rounded(bridge) }
  }
}
