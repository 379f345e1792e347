import type { CallObserver } from '../../audit/observer.ts'
import type { Watched } from '../../audit/watched.ts'
import { type Keeping, WatchedCall } from './call.ts'
import type { CallDetails, CallSummary } from './shown/view.ts'

/** Overall limits. */
export interface Bounds extends Keeping {
  readonly calls: number
  /** Approximate, in bytes. */
  readonly memory: number
}

/** A finished call: its details as JSON, without references to the bridge's objects. */
interface Kept {
  readonly summary: CallSummary
  readonly json: string
}

/** Estimate for summary and record, in addition to the messages. */
const HEADS = 4096

/** Keeps the last calls within the memory limit. Notifies viewers with the numbers of changed calls. */
export class Hub {
  readonly bounds: Bounds
  readonly #sentence: (change: string) => string | undefined
  /** In order of arrival. */
  readonly #calls = new Map<number, WatchedCall | Kept>()
  /** Memory of each call when last measured. */
  readonly #weights = new Map<number, number>()
  readonly #watchers = new Set<(id: number) => void>()
  /** Calls since the bridge started. */
  count = 0
  /** Approximate memory use in bytes. */
  held = 0

  /** `sentence`: the summary of a change. */
  constructor(bounds: Bounds, sentence: (change: string) => string | undefined) {
    this.bounds = bounds
    this.#sentence = sentence
  }

  readonly observe = (watched: Watched): CallObserver => {
    const call = new WatchedCall(++this.count, watched, this.bounds, (changed) => this.#changed(changed))
    this.#calls.set(call.id, call)
    this.#changed(call)
    return call
  }

  get summaries(): CallSummary[] {
    return [...this.#calls.values()].map(({ summary }) => summary)
  }

  get ids(): Iterable<number> {
    return this.#calls.keys()
  }

  summary(id: number): CallSummary | undefined {
    return this.#calls.get(id)?.summary
  }

  /** The call's `CallDetails` as JSON, with the `sentences` of its changes. */
  json(id: number): string | undefined {
    const call = this.#calls.get(id)
    if (!(call instanceof WatchedCall)) return call?.json
    const json = this.#write(call.details)
    this.#weigh(id, HEADS + call.held) // the view of a stream is kept
    return json
  }

  /** All calls, or those with these numbers. */
  chosen(ids: ReadonlySet<number> | undefined): CallDetails[] {
    const chosen = [...this.#calls.keys()].filter((id) => ids === undefined || ids.has(id))
    return chosen.map((id) => JSON.parse(this.json(id) ?? 'null') as CallDetails | null).filter((call) => call !== null)
  }

  /** Removes finished calls; open ones stay. */
  clear(): void {
    for (const [id, call] of this.#calls) if (!(call instanceof WatchedCall)) this.#forget(id)
  }

  watch(changed: (id: number) => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  #changed(call: WatchedCall): void {
    if (this.#calls.get(call.id) !== call) return
    if (call.open) {
      this.#weigh(call.id, HEADS + call.held)
      this.#tell(call.id)
    } else this.#keep(call.details)
  }

  #keep(details: CallDetails): void {
    const { summary } = details
    const json = this.#write(details)
    this.#calls.set(summary.id, { summary, json })
    this.#weigh(summary.id, HEADS + json.length)
    this.#tell(summary.id)
  }

  #write(details: CallDetails): string {
    const { changes = [], losses = [] } = details.record
    const named = [...changes, ...losses.map(({ change }) => change)]
    const sentences = Object.fromEntries(named.map((id) => [id, this.#sentence(id) ?? '']))
    return JSON.stringify({ ...details, sentences })
  }

  #weigh(id: number, weight: number): void {
    this.held += weight - (this.#weights.get(id) ?? 0)
    this.#weights.set(id, weight)
    while (this.#calls.size > this.bounds.calls || (this.held > this.bounds.memory && this.#calls.size > 0))
      this.#forget(this.#oldest())
  }

  /** The oldest finished call; if all are open, the oldest of them. */
  #oldest(): number {
    const finished = this.#calls.entries().find(([, call]) => !(call instanceof WatchedCall))
    return finished?.[0] ?? this.#calls.keys().next().value ?? 0
  }

  #forget(id: number): void {
    const call = this.#calls.get(id)
    if (call instanceof WatchedCall) call.letGo()
    this.#calls.delete(id)
    this.held -= this.#weights.get(id) ?? 0
    this.#weights.delete(id)
    this.#tell(id)
  }

  #tell(id: number): void {
    for (const changed of this.#watchers) changed(id)
  }
}
