import { Session } from 'node:inspector/promises'

/**
 * What of src/ and rules/ has run, by V8's own block counters. Taking them costs milliseconds, so inputs are run in batches
 * (loop.ts). Jazzer.js would instrument the code itself: its newest release needs a glibc 2.38, older ones fetch their
 * binary from a host of their own when they are installed.
 */
export class Coverage {
  readonly #session = new Session()
  readonly #seen = new Set<string>()

  async start(): Promise<void> {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  get size(): number {
    return this.#seen.size
  }

  /** Blocks that ran since the last call and never before; `keep` makes them known. */
  async fresh(keep: boolean): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    let fresh = 0
    for (const { url, scriptId, functions } of result) {
      if (!/\/(?:src|rules)\//.test(url)) continue
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        const block = `${scriptId}:${startOffset}:${endOffset}`
        if (count === 0 || this.#seen.has(block)) continue
        fresh++
        if (keep) this.#seen.add(block)
      }
    }
    return fresh
  }

  stop(): void {
    this.#session.disconnect()
  }
}
