import { setImmediate as nextTurn } from 'node:timers/promises'
import { ProxyError } from '../../api/errors.ts'
import type { Log } from '../../config/log.ts'
import { reasonOf } from '../../config/text.ts'
import { within } from '../../config/within.ts'
import type { Block } from './block.ts'
import type { Chain, Link } from './chain.ts'
import { DroppedRecords } from './dropped.ts'
import type { Store, StoreNote } from './store.ts'
import { WaitingRecords } from './waiting.ts'

export interface QueueOptions {
  readonly store: Store
  readonly chain: Chain | undefined
  /** Calls wait until their first record is on disk; otherwise records are written behind them. */
  readonly blocking: boolean
  /** How many records may wait to be written. */
  readonly limit: number
  readonly format: (note: StoreNote) => string
  /** A record for people, as lines of text; undefined: records are written as they are. */
  readonly shown?: ((record: string) => readonly string[]) | undefined
  readonly log: Log
}

/** Status of an audit log; the name is that of the settings. */
export interface QueueStatus {
  readonly name: string
  readonly waiting: number
  readonly dropped: number
  readonly refused: number
  readonly failing: boolean
  /** The number of the chain's last line that is written. */
  readonly chained: number | undefined
}

/** Records that no call waits for are written together, this many milliseconds after the first of them. */
const BEHIND_MS = 20
/** Bytes written together. Where each write is synced, one should serve all calls that wait. */
const BLOCK = 128 * 1024
const SYNCED_BLOCK = 1024 * 1024
/** Limit for waiting records in memory, in bytes. */
const HELD = 64 * 1024 * 1024
const RETRY_MS = 500
/** A disk that does not answer is a broken one. */
const ANSWER_MS = 10_000
/** How long `close` tries. */
const FLUSH_MS = 5_000
const NOTHING = Buffer.alloc(0)

/** The records of one log on their way: in order, bounded, many with one write (and one sync). */
export class RecordQueue {
  readonly #options: QueueOptions
  readonly #waiting: WaitingRecords
  /** The block that is being written. */
  #current: Block | undefined
  /** The chain's last line that is written. */
  #link: Link | undefined
  #running: Promise<void> | undefined
  /** The next write does not wait for BEHIND_MS. */
  #urgent = false
  /** Ends the pause before the next attempt. */
  #wake: () => void = () => undefined
  #failing: { readonly cause: unknown } | undefined
  #closing = false
  readonly #dropped = new DroppedRecords()
  #refused = 0

  constructor(options: QueueOptions) {
    this.#options = options
    this.#waiting = new WaitingRecords(options.blocking ? SYNCED_BLOCK : BLOCK)
    this.#link = options.chain?.last
    this.#addNotes()
    if (this.#waiting.blocks > 0) {
      this.#hurry()
      this.#start()
    }
  }

  get status(): QueueStatus {
    return {
      name: this.#options.store.name,
      waiting: this.#waiting.count + (this.#current?.records ?? 0),
      dropped: this.#dropped.total,
      refused: this.#refused,
      failing: this.#failing !== undefined,
      chained: this.#link?.seq,
    }
  }

  /** Takes a line. A returned promise must be awaited; it rejects with a ProxyError if the line cannot be stored. */
  add(text: string, stage: string): Promise<void> | undefined {
    const { blocking, limit } = this.#options
    const waits = blocking && stage === 'received'
    const full = this.#waiting.count >= limit || this.#waiting.bytes + text.length > HELD
    if (waits && (full || this.#failing !== undefined))
      return Promise.reject(this.#refusal(this.#failing?.cause ?? 'the queue is full'))
    if (full) {
      this.#drop(stage)
      return undefined
    }
    const block = this.#put(text)
    const stored = waits ? block.untilStored() : undefined
    if (waits || this.#waiting.isUrgent || this.#waiting.count * 2 >= limit) this.#hurry()
    this.#start()
    return stored
  }

  reopen(): void {
    this.#options.store.reopen?.()
    this.#wake()
    this.#hurry()
    this.#start() // the new file is there at once, for those who look for it
  }

  /** Writes what waits; after a while, or when that is not possible now, it says what is lost and gives up. */
  async close(): Promise<void> {
    this.#closing = true
    this.#wake()
    this.#start()
    await within(FLUSH_MS, this.#running ?? Promise.resolve(), () => undefined)
    const lost = this.status.waiting
    const { store, log } = this.#options
    if (lost > 0) log.error({ file: store.name, lost }, 'audit records were lost: they could not be written')
    if (this.#link !== undefined) log.info({ file: store.name, ...this.#link }, 'last line of the audit chain')
    if (this.#running === undefined) await store.close()
  }

  /** A broken store is tried again at its own pace. */
  #hurry(): void {
    this.#urgent = true
    if (this.#failing === undefined) this.#wake()
  }

  /** A run waits before it writes, so it is kept here before it can end. */
  #start(): void {
    this.#running ??= this.#run()
  }

  #put(text: string): Block {
    const { chain, shown } = this.#options
    const linked = chain === undefined ? text : chain.link(text)
    const lines = shown?.(linked).map((line) => `${line}\n`)
    return this.#waiting.add(lines?.join('') ?? linked, chain?.last)
  }

  #addNotes(): void {
    const { store, format } = this.#options
    for (const note of store.takeNotes?.() ?? []) this.#put(format(note))
  }

  async #run(): Promise<void> {
    try {
      do {
        if (!this.#urgent && !this.#closing) await this.#pause(BEHIND_MS)
        await nextTurn() // calls of the same moment share a write
        if (!(await this.#writeBlock())) return
      } while (this.#urgent || this.#waiting.blocks > 0)
    } finally {
      this.#running = undefined // at once: a line that is added in the next microtask starts it again
    }
  }

  /** Writes the first block. False if that was given up. */
  async #writeBlock(): Promise<boolean> {
    if (this.#waiting.blocks <= 1) this.#addDropped() // after all that waits
    const block = this.#waiting.takeFirst()
    this.#urgent = this.#waiting.isUrgent
    this.#current = block
    const bytes = block?.bytes ?? NOTHING // perhaps there is a file to reopen
    while (!(await this.#tryToWrite(bytes))) {
      if (this.#closing) return false
      await this.#pause(RETRY_MS)
    }
    this.#current = undefined
    if (block !== undefined) this.#written(block)
    this.#addNotes()
    return true
  }

  #written(block: Block): void {
    block.resolve()
    this.#link = block.link ?? this.#link
    this.#waiting.reuse(block)
  }

  /** Adds how many records were dropped for lack of room, after those that had room. */
  #addDropped(): void {
    const dropped = this.#dropped.take()
    if (dropped !== undefined) this.#put(this.#options.format({ stage: 'dropped', dropped }))
  }

  async #tryToWrite(bytes: Buffer): Promise<boolean> {
    const { store, blocking } = this.#options
    const watch = setTimeout(() => this.#fail(new Error('no answer')), ANSWER_MS)
    try {
      await store.write(bytes, blocking)
      this.#recover()
      return true
    } catch (cause) {
      this.#fail(cause)
      return false
    } finally {
      clearTimeout(watch)
    }
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    await within(ms, promise, () => undefined)
  }

  #fail(cause: unknown): void {
    const { log, store, blocking } = this.#options
    if (this.#failing === undefined) {
      const then = blocking
        ? 'calls are refused until this is fixed'
        : 'records are queued, and dropped when the queue is full'
      log.error({ err: cause, file: store.name }, `cannot write the audit log: ${then}`)
    }
    this.#failing = { cause }
    // No call waits any longer; the lines are still written.
    this.#current?.reject(() => this.#refusal(cause))
    this.#waiting.reject(() => this.#refusal(cause))
  }

  #recover(): void {
    if (this.#failing === undefined) return
    this.#failing = undefined
    const { dropped, refused, name } = this.status
    this.#options.log.info({ file: name, dropped, refused }, 'writing the audit log again')
  }

  #refusal(cause: unknown): ProxyError {
    this.#refused++
    return new ProxyError('audit', `the audit record of this call cannot be stored (${reasonOf(cause)})`, { cause })
  }

  #drop(stage: string): void {
    const { store, log } = this.#options
    if (this.#dropped.total === 0) log.error({ file: store.name }, 'dropping audit records: the queue is full')
    this.#dropped.add(stage)
  }
}
