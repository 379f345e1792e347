import type { AuditRecord } from '../record/record.ts'
import type { Level } from '../record/terms.ts'

type Side = 'request' | 'response'
/** Ids of the changes that had an effect; a side is absent if it is not measured. */
export type Applied = { [S in Side]?: Set<string> }

/** Collects the changes that modified a call's messages. */
export class AppliedChanges {
  readonly #level: Level
  readonly #measured: Record<Side, boolean>
  readonly #applied: Applied = {}

  constructor(level: Level) {
    this.#level = level
    this.#measured = { request: level !== 'none', response: level === 'requestResponse' }
  }

  /** From now on both sides are collected whatever the audit's level; its records stay as they are. */
  watch(): Applied {
    this.#measured.request = true
    this.#measured.response = true
    this.#applied.request ??= new Set()
    this.#applied.response ??= new Set()
    return this.#applied
  }

  measures(side: Side): boolean {
    return this.#measured[side]
  }

  /** A change modified the message. */
  add(change: string, side: Side): void {
    if (!this.#measured[side]) return
    this.#applied[side] ??= new Set()
    this.#applied[side].add(change)
  }

  /** The message is too large to compare: the changes are unknown, and too few must not be listed. */
  unmeasured(side: Side): void {
    this.#measured[side] = false
    delete this.#applied[side]
  }

  /** For a record, as its level asks. */
  get recorded(): AuditRecord['applied'] {
    const listed = (changes: Set<string> = new Set()): string[] | undefined =>
      changes.size === 0 ? undefined : [...changes]
    const request = listed(this.#applied.request)
    const response = this.#level === 'requestResponse' ? listed(this.#applied.response) : undefined
    return request === undefined && response === undefined ? undefined : { request, response }
  }
}
