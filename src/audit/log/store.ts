/** A record about the log itself: dropped records, a torn line. */
export interface StoreNote {
  readonly stage: 'dropped' | 'recovered'
  readonly [member: string]: unknown
}

/** The end of an existing log, which a chain continues. */
export interface Resumed {
  readonly lastLine: Buffer
  readonly from: string
}

/** Writes the blocks of a queue, one at a time. */
export interface Store {
  readonly name: string
  readonly resumed?: Resumed | undefined
  /** Notes since the last call. */
  takeNotes?(): readonly StoreNote[]
  /**
   * Appends whole lines, after reopening and rotating if necessary; `sync`: resolves when they are on disk. After a
   * rejection the caller retries with the same bytes: no line is torn or duplicated.
   * The caller may reuse the bytes once the promise settles.
   */
  write(bytes: Buffer, sync: boolean): Promise<void>
  /** Reopens the path at the next write, even of no bytes. Absent for a descriptor without a path. */
  reopen?(): void
  close(): Promise<void>
}
