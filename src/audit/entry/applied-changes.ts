import type { AuditRecord } from '../record/record.ts'
import type { Level } from '../record/terms.ts'

type Side = 'request' | 'response'
/** Ids of the changes that had an effect; a side is absent if it is not measured. */
export type Applied = { [S in Side]?: Set<string> }

/** Collects the changes that modified a call's messages. */
export class AppliedChanges {
  readonly #level: Level
  readonly #applied: Applied = {}

  constructor(level: Level) {
    this.#level = level
    if (level !== 'none') this.#applied.request = new Set()
    if (level === 'requestResponse') this.#applied.response = new Set()
  }

  /** From now on both sides are collected whatever the audit's level; its records stay as they are. */
  watch(): Applied {
    this.#applied.request ??= new Set()
    this.#applied.response ??= new Set()
    return this.#applied
  }

  measures(side: Side): boolean {
    return this.#applied[side] !== undefined
  }

  /** A change modified the message. */
  add(change: string, side: Side): void {
    this.#applied[side]?.add(change)
  }

  /** The message is too large to compare: the changes are unknown, and too few must not be listed. */
  unmeasured(side: Side): void {
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
