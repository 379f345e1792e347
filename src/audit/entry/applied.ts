import type { Level } from '../record/terms.ts'
import type { Applied, Side } from './facts.ts'

/** Collects the changes that modified a call's messages: for its records as their level asks, and for an inspector. */
export class AppliedChanges {
  readonly #level: Level
  readonly #recorded: Applied
  #watched: Applied | undefined

  constructor(level: Level, recorded: Applied) {
    this.#level = level
    this.#recorded = recorded
  }

  begin(): void {
    if (this.measures('request')) this.#recorded.request = new Set()
    if (this.measures('response')) this.#recorded.response = new Set()
  }

  /** From now on they are collected whatever the audit's level; its records stay as they are. */
  watch(): Applied {
    this.#watched ??= { request: new Set(), response: new Set() }
    return this.#watched
  }

  /** Whether the changes that modify the message are collected. */
  measures(side: Side): boolean {
    if (this.#watched !== undefined) return true
    return side === 'request' ? this.#level !== 'none' : this.#level === 'requestResponse'
  }

  /** A change modified the message. */
  add(change: string, side: Side): void {
    this.#recorded[side]?.add(change)
    this.#watched?.[side]?.add(change)
  }

  /** The message is too large to compare: the record omits the changes instead of listing too few. */
  unmeasured(side: Side): void {
    delete this.#recorded[side]
    if (this.#watched !== undefined) delete this.#watched[side]
  }
}
