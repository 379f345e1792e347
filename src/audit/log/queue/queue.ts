import { ProxyError } from '../../../api/errors.ts'
import type { Log } from '../../../config/log.ts'
import { messageOf } from '../../../config/text.ts'
import { within } from '../../../config/within.ts'
import type { Chain } from '../chain.ts'
import { codeOf } from '../open-file.ts'
import type { Store, StoreNote } from '../store.ts'
import { DroppedRecords } from './dropped.ts'
import { WaitingLines } from './waiting.ts'

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
  /** The number of the chain's last line. */
  readonly chained: number | undefined
}

/** Records that no call waits for are written together, this many milliseconds after the first of them. */
export const BEHIND_MS = 20
/** … or when they come to so many characters. */
const EARLY = 128 * 1024
const RETRY_MS = 500
/** A disk that does not answer is a broken one. */
const ANSWER_MS = 10_000
/** How long `close` tries. */
const FLUSH_MS = 5_000

/** The records of one log on their way: in order, bounded, many with one write (and one sync). */
export class RecordQueue {
  readonly #options: QueueOptions
  readonly #lines: WaitingLines
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #failing: { readonly cause: unknown } | undefined
  #pause: { readonly over: () => void } | undefined
  #reopening = false
  #closing = false
  readonly #dropped = new DroppedRecords()
  #refused = 0

  constructor(options: QueueOptions) {
    this.#options = options
    this.#lines = new WaitingLines(options.limit)
  }

  get status(): QueueStatus {
    return {
      name: this.#options.store.name,
      waiting: this.#lines.all,
      dropped: this.#dropped.inAll,
      refused: this.#refused,
      failing: this.#failing !== undefined,
      chained: this.#options.chain?.last.seq,
    }
  }

  /** Takes a line. A returned promise must be awaited; it rejects with a ProxyError if the line cannot be stored. */
  add(text: string, stage: string): Promise<void> | undefined {
    const waits = this.#options.blocking && stage === 'received'
    const full = this.#lines.full(text.length)
    if (waits && (full || this.#failing !== undefined))
      return Promise.reject(this.#refusal(this.#failing?.cause ?? 'the queue is full'))
    if (full) {
      this.#drop(stage)
      return undefined
    }
    const written = this.#lines.add(text, waits)
    this.#wake(waits || this.#urgent)
    return written
  }

  reopen(): void {
    this.#options.store.reopen()
    this.#reopening = true
    this.#pause?.over()
    this.#start() // the new file is there at once, for those who look for it
  }

  /** Writes what waits; after a while, or when that is not possible now, it says what is lost and gives up. */
  async close(): Promise<void> {
    this.#closing = true
    this.#pause?.over()
    this.#start()
    await within(FLUSH_MS, this.#running ?? Promise.resolve(), () => undefined)
    const lost = this.#lines.all
    const { store, chain, log } = this.#options
    if (lost > 0) log.error({ file: store.name, lost }, 'audit records were lost: they could not be written')
    if (chain !== undefined) log.info({ file: store.name, ...chain.last }, 'last line of the audit chain')
    if (this.#running === undefined) await store.close()
  }

  #wake(now: boolean): void {
    if (this.#running !== undefined) return
    if (now) this.#immediate ??= setImmediate(() => this.#start())
    else this.#timer ??= setTimeout(() => this.#start(), BEHIND_MS)
  }

  #start(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#closing) return
      if (this.#reopening) this.#start()
      else if (this.#lines.next > 0) this.#wake(this.#urgent)
    })
  }

  get #urgent(): boolean {
    return this.#lines.awaited > 0 || this.#lines.held >= EARLY || this.#lines.next * 2 >= this.#options.limit
  }

  async #run(): Promise<void> {
    do {
      if (!(await this.#batch())) return
    } while (this.#urgent || (this.#closing && this.#lines.next > 0))
  }

  /** Writes what there is, up to a size. False when it was given up. */
  async #batch(): Promise<boolean> {
    const { store, chain, blocking, format, shown } = this.#options
    let notes: readonly StoreNote[] = []
    const made = await this.#untilDone(async () => {
      this.#reopening = false
      notes = await store.ready(this.#lines.coming)
    })
    if (!made) return false
    const texts = [...notes.map(format), ...this.#lines.take(), ...this.#droppedLine()]
    if (texts.length === 0) return true
    const lines = chain === undefined ? texts : texts.map((text) => chain.link(text))
    const bytes = Buffer.from((shown === undefined ? lines : lines.flatMap(shown).map((line) => `${line}\n`)).join(''))
    if (!(await this.#untilDone(() => store.write(bytes, blocking)))) return false
    this.#lines.written()
    return true
  }

  /** What was dropped while there was no room, after the records that had it. */
  #droppedLine(): string[] {
    const dropped = this.#lines.next > 0 ? undefined : this.#dropped.take()
    return dropped === undefined ? [] : [this.#options.format({ stage: 'dropped', dropped })]
  }

  /** Tries until it is done. False when flushing, and it cannot be done now. */
  async #untilDone(attempt: () => Promise<void>): Promise<boolean> {
    for (;;) {
      const watch = this.#options.blocking ? setTimeout(() => this.#fail(new Error('no answer')), ANSWER_MS) : undefined
      try {
        await attempt()
        this.#recover()
        return true
      } catch (cause) {
        this.#fail(cause)
      } finally {
        clearTimeout(watch)
      }
      if (this.#closing) return false
      await this.#retryPause()
    }
  }

  async #retryPause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, RETRY_MS)
    this.#pause = { over: resolve }
    await promise
    clearTimeout(timer)
    this.#pause = undefined
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
    this.#lines.refuse(() => this.#refusal(cause))
  }

  #recover(): void {
    if (this.#failing === undefined) return
    this.#failing = undefined
    const { dropped, refused, name } = this.status
    this.#options.log.info({ file: name, dropped, refused }, 'writing the audit log again')
  }

  #refusal(cause: unknown): ProxyError {
    this.#refused++
    const reason = codeOf(cause) || messageOf(cause)
    return new ProxyError('audit', `the audit record of this call cannot be stored (${reason})`, { cause })
  }

  #drop(stage: string): void {
    const { store, log } = this.#options
    if (this.#dropped.inAll === 0) log.error({ file: store.name }, 'dropping audit records: the queue is full')
    this.#dropped.add(stage)
  }
}
