import { ProxyError } from '../../api/errors.ts'
import type { AuditRecord, AuditSink } from '../../audit/audit.ts'
import { DroppedRecords } from '../../audit/log/dropped.ts'
import { lineOf } from '../../audit/sink.ts'
import { within } from '../../config/within.ts'
import type { Config } from '../settings/settings.ts'
import type { PrimaryCalls, RecordLine } from './calls.ts'

interface Waiting {
  readonly line: RecordLine
  /** The call that waits until the record is stored. */
  readonly call: PromiseWithResolvers<void> | undefined
}

/** Records that no call waits for are batched: sent this many milliseconds after the first of them. */
const BEHIND_MS = 5
/** Time at shutdown for the primary to accept the remaining records. */
const FLUSH_MS = 5_000

/**
 * A worker's audit log: sends the records to the primary, the only writer, in order of arrival, so that there is one
 * file and one hash chain. Limits unacknowledged records to the queue size of the log itself.
 */
export class AuditRelay implements AuditSink {
  readonly #send: PrimaryCalls['records']
  readonly #off: boolean
  readonly #blocking: boolean
  readonly #limit: number
  readonly #dropped = new DroppedRecords()
  #batch: Waiting[] = []
  #unacknowledged = 0
  #soon: NodeJS.Immediate | undefined
  #later: NodeJS.Timeout | undefined
  #empty: (() => void) | undefined

  constructor(config: Pick<Config, 'audit-log' | 'audit-mode' | 'audit-queue'>, send: PrimaryCalls['records']) {
    this.#send = send
    this.#off = config['audit-log'].every((target) => target === 'off')
    this.#blocking = config['audit-mode'] === 'blocking'
    this.#limit = config['audit-queue']
  }

  write(record: AuditRecord): Promise<void> | undefined {
    if (this.#off) return undefined
    const waits = this.#blocking && record.stage === 'received'
    if (this.#unacknowledged >= this.#limit) {
      if (waits) return Promise.reject(new ProxyError('audit', 'the audit queue is full'))
      this.#dropped.add(record.stage)
      return undefined
    }
    return this.#add(record.stage, lineOf(record), waits ? Promise.withResolvers<void>() : undefined)
  }

  /** Resolves when the primary has accepted all records, or at the timeout. */
  async close(): Promise<void> {
    if (this.#unacknowledged === 0) return
    void this.#flush()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#empty = resolve
    await within(FLUSH_MS, promise, () => undefined)
  }

  #add(stage: string, line: string, call?: PromiseWithResolvers<void>): Promise<void> | undefined {
    this.#unacknowledged++
    this.#batch.push({ line: [stage, line], call })
    if (call !== undefined) this.#soon ??= setImmediate(this.#flush)
    else this.#later ??= setTimeout(this.#flush, BEHIND_MS)
    return call?.promise
  }

  readonly #flush = async (): Promise<void> => {
    clearImmediate(this.#soon)
    clearTimeout(this.#later)
    this.#soon = undefined
    this.#later = undefined
    const batch = this.#batch
    this.#batch = []
    if (batch.length === 0) return
    const lines = batch.map(({ line }) => line)
    const problems = await this.#send(lines).catch((cause: Error) => lines.map(() => cause.message))
    for (const [i, { call }] of batch.entries()) {
      const problem = problems[i]
      if (problem === undefined) call?.resolve()
      else call?.reject(new ProxyError('audit', problem))
    }
    this.#unacknowledged -= batch.length
    const dropped = this.#dropped.take()
    if (dropped !== undefined) this.#add('dropped', lineOf({ stage: 'dropped', dropped }))
    if (this.#unacknowledged === 0) this.#empty?.()
  }
}
