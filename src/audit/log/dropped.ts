interface Dropped {
  count: number
  readonly stages: Record<string, number>
  readonly from: string
  to: string
}

/** Counts the records that found no room. */
export class DroppedRecords {
  total = 0
  #since: Dropped | undefined

  add(stage: string): void {
    const now = new Date().toISOString()
    this.#since ??= { count: 0, stages: {}, from: now, to: now }
    this.total++
    this.#since.count++
    this.#since.stages[stage] = (this.#since.stages[stage] ?? 0) + 1
    this.#since.to = now
  }

  /** The records dropped since the last call, if there are any. */
  take(): Readonly<Dropped> | undefined {
    const dropped = this.#since
    this.#since = undefined
    return dropped
  }
}
