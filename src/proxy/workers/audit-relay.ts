import { ProxyError } from '../../api/errors.ts'
import type { AuditRecord, AuditSink } from '../../audit/audit.ts'
import { DroppedRecords } from '../../audit/log/dropped.ts'
import { lineOf } from '../../audit/sink.ts'
import { within } from '../../config/within.ts'
import type { Config } from '../settings/settings.ts'
import type { FromWorker, RecordLine } from './messages.ts'

type Waiter = ReturnType<typeof Promise.withResolvers<void>>

/** Records that no call waits for are batched: sent this many milliseconds after the first of them … */
const BEHIND_MS = 5
/** … or at this number. */
const TOGETHER = 256
/** Time at shutdown for the primary to accept the remaining records. */
const FLUSH_MS = 5_000

/**
 * A worker's audit log: sends the records to the primary, the only writer, in order of arrival, so that there is one
 * file and one hash chain. Limits unacknowledged records to the queue size of the log itself.
 */
export class AuditRelay implements AuditSink {
  readonly #send: (message: FromWorker) => void
  readonly #off: boolean
  readonly #blocking: boolean
  readonly #limit: number
  readonly #waiters = new Map<number, Waiter>()
  readonly #dropped = new DroppedRecords()
  #lines: RecordLine[] = []
  #number = 0
  #taken = 0
  #soon: NodeJS.Immediate | undefined
  #later: NodeJS.Timeout | undefined
  #empty: (() => void) | undefined

  constructor(config: Pick<Config, 'audit-log' | 'audit-mode' | 'audit-queue'>, send: (message: FromWorker) => void) {
    this.#send = send
    this.#off = config['audit-log'].every((target) => target === 'off')
    this.#blocking = config['audit-mode'] === 'blocking'
    this.#limit = config['audit-queue']
  }

  write(record: AuditRecord): Promise<void> | undefined {
    if (this.#off) return undefined
    const waits = this.#blocking && record.stage === 'received'
    if (this.#number - this.#taken >= this.#limit) {
      if (waits) return Promise.reject(new ProxyError('audit', 'the audit queue is full'))
      this.#dropped.add(record.stage)
      return undefined
    }
    if (!waits) {
      this.#add(record.stage, lineOf(record))
      return undefined
    }
    const waiter = Promise.withResolvers<void>()
    this.#waiters.set(this.#number + 1, waiter)
    this.#add(record.stage, lineOf(record))
    return waiter.promise
  }

  /** The primary has accepted these records and all before them. */
  taken(upTo: number): void {
    this.#taken = upTo
    const dropped = this.#dropped.take()
    if (dropped !== undefined) this.#add('dropped', lineOf({ stage: 'dropped', dropped }))
    if (this.#taken === this.#number) this.#empty?.()
  }

  stored(records: readonly number[]): void {
    for (const number of records) this.#settle(number)?.resolve()
  }

  refused(records: readonly number[], reason: string): void {
    for (const number of records) this.#settle(number)?.reject(new ProxyError('audit', reason))
  }

  /** Resolves when the primary has accepted all records, or at the timeout. */
  async close(): Promise<void> {
    if (this.#taken === this.#number) return
    this.#flush()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#empty = resolve
    await within(FLUSH_MS, promise, () => undefined)
  }

  #settle(number: number): Waiter | undefined {
    const waiter = this.#waiters.get(number)
    this.#waiters.delete(number)
    return waiter
  }

  #add(stage: string, line: string): void {
    this.#number++
    this.#lines.push([stage, line])
    if (this.#waiters.size > 0 || this.#lines.length >= TOGETHER) this.#soon ??= setImmediate(this.#flush)
    else this.#later ??= setTimeout(this.#flush, BEHIND_MS)
  }

  readonly #flush = (): void => {
    clearImmediate(this.#soon)
    clearTimeout(this.#later)
    this.#soon = undefined
    this.#later = undefined
    const lines = this.#lines
    this.#lines = []
    if (lines.length > 0) this.#send({ kind: 'records', first: this.#number - lines.length + 1, lines })
  }
}
