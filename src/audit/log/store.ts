/** A record about the log itself: dropped records, a torn line. */
export interface StoreNote {
  readonly stage: 'dropped' | 'recovered'
  readonly [member: string]: unknown
}

/** Writes the batches of a queue, one at a time. */
export interface Store {
  readonly name: string
  /** Called before each batch of about `coming` bytes: reopens and rotates. Returns notes to write first. */
  ready(coming: number): Promise<readonly StoreNote[]>
  /**
   * Appends whole lines; `sync`: resolves when they are on disk. After a rejection the caller retries with the same
   * bytes, and the store continues where it stopped: no line is torn or duplicated.
   */
  write(bytes: Buffer, sync: boolean): Promise<void>
  /** Reopens the path before the next batch. */
  reopen(): void
  close(): Promise<void>
}
