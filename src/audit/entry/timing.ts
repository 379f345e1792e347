import type { AuditRecord } from '../record/record.ts'

const { performance } = globalThis // the global performance is a getter

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Duration of a call, in total and in the engine. */
export class Timing {
  readonly #started = performance.now()
  #asking: number | undefined
  #engine = 0
  #head: number | undefined

  /** A request was sent to the engine, or the rest of its response is awaited. */
  waitForEngine(): void {
    this.#asking ??= performance.now()
  }

  /** The awaited head or body has arrived. */
  engineResponded(): void {
    if (this.#asking === undefined) return
    this.#engine += performance.now() - this.#asking
    this.#asking = undefined
  }

  /** The response head was sent to the client. */
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
