/** What the log says of itself: records that were dropped, a torn line that was found. */
export interface StoreNote {
  readonly stage: 'dropped' | 'recovered'
  readonly [member: string]: unknown
}

/** Where the batches of a queue go, one at a time. */
export interface Store {
  readonly name: string
  /** Before each batch of about `coming` bytes: opens anew, rotates. Resolves with what the next lines say first. */
  ready(coming: number): Promise<readonly StoreNote[]>
  /**
   * Appends whole lines; with `sync` they are on disk when it resolves. After a rejection the same bytes are given again,
   * and what of them is written already is not written twice: no line is torn or doubled.
   */
  write(bytes: Buffer, sync: boolean): Promise<void>
  /** At the next batch the path is opened anew. */
  reopen(): void
  close(): Promise<void>
}
