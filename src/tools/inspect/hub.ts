import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver } from '../../audit/observer.ts'
import type { Watched } from '../../audit/watched.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import { type Keeping, WatchedCall } from './call.ts'
import { unseen } from './shown/unseen.ts'
import type { CallDetails, CallSummary } from './shown/view.ts'

/** Overall limits. */
export interface Bounds extends Keeping {
  readonly calls: number
  /** Approximate, in bytes. */
  readonly memory: number
}

/** A finished call, without references to the bridge's objects. */
interface Kept {
  readonly details: CallDetails
  readonly held: number
}

/** The target, path and query of a call, and of what was forwarded. */
const REPEATED = 3

/** Estimate for summary and record, in addition to the messages. */
const HEADS = 4096

/** Keeps the last calls within the memory limit. Notifies viewers with the numbers of changed calls. */
export class Hub {
  readonly bounds: Bounds
  /** In order of arrival. */
  readonly #calls = new Map<number, WatchedCall | Kept>()
  readonly #watchers = new Set<(id: number) => void>()
  /** Memory of each open call when last measured. */
  readonly #open = new Map<number, number>()
  #held = 0
  #last = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** Calls since the bridge started. */
  get count(): number {
    return this.#last
  }

  /** Approximate memory use in bytes. */
  get held(): number {
    return this.#held
  }

  readonly observe = (watched: Watched): CallObserver => {
    const call = new WatchedCall(++this.#last, watched, this.bounds, {
      changed: (changed) => this.#grew(changed),
      ended: (ended) => this.#ended(ended),
    })
    this.#calls.set(call.id, call)
    this.#open.set(call.id, 0)
    this.#grew(call)
    return call
  }

  readonly unobserved = (entry: Entry, request: ClientRequest): void => {
    this.#keep(unseen(++this.#last, entry, request))
  }

  get summaries(): CallSummary[] {
    return [...this.#calls.values()].map(summaryOf)
  }

  summary(id: number): CallSummary | undefined {
    const call = this.#calls.get(id)
    return call === undefined ? undefined : summaryOf(call)
  }

  details(id: number): CallDetails | undefined {
    const call = this.#calls.get(id)
    if (!(call instanceof WatchedCall)) return call?.details
    const { details } = call // reading details processes the queued bytes
    this.#weigh(call)
    return details
  }

  /** All calls, or those with these numbers. */
  chosen(ids: ReadonlySet<number> | undefined): CallDetails[] {
    return [...this.#calls.keys()]
      .filter((id) => ids === undefined || ids.has(id))
      .map((id) => this.details(id))
      .filter((details) => details !== undefined)
  }

  /** Removes finished calls; open ones stay. */
  clear(): void {
    for (const [id, call] of this.#calls) if (!(call instanceof WatchedCall)) this.#forget(id)
  }

  watch(changed: (id: number) => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  #grew(call: WatchedCall): void {
    if (this.#weigh(call)) this.#tell(call.id)
  }

  /** Updates the memory of a call; false if it is not kept. */
  #weigh(call: WatchedCall): boolean {
    const before = this.#open.get(call.id)
    if (before === undefined) return false
    const now = HEADS + call.held
    this.#open.set(call.id, now)
    this.#held += now - before
    this.#makeRoom()
    return true
  }

  #ended(call: WatchedCall): void {
    this.#held -= this.#open.get(call.id) ?? 0
    this.#open.delete(call.id)
    this.#keep(call.details)
  }

  #keep(details: CallDetails): void {
    const held = HEADS + textOf(details)
    this.#calls.set(details.summary.id, { details, held })
    this.#held += held
    this.#makeRoom()
    this.#tell(details.summary.id)
  }

  /** Drops the oldest finished calls first; if all are open, stops observing the oldest of them. */
  #makeRoom(): void {
    while (this.#isFull()) {
      const over = this.#calls.entries().find(([, call]) => !(call instanceof WatchedCall))
      const first = over?.[0] ?? this.#calls.keys().next().value
      if (first === undefined) return
      this.#forget(first)
    }
  }

  #isFull(): boolean {
    return this.#calls.size > this.bounds.calls || (this.#held > this.bounds.memory && this.#calls.size > 0)
  }

  #forget(id: number): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (call instanceof WatchedCall) {
      call.letGo()
      this.#held -= this.#open.get(id) ?? 0
      this.#open.delete(id)
    } else this.#held -= call?.held ?? 0
    this.#tell(id)
  }

  #tell(id: number): void {
    for (const changed of this.#watchers) changed(id)
  }
}

const summaryOf = (call: WatchedCall | Kept): CallSummary =>
  call instanceof WatchedCall ? call.summary : call.details.summary

/** Characters in a call's messages. Summary and record repeat parts of the request. */
function textOf({
  summary,
  clientRequest,
  engineRequest,
  engineResponse,
  clientResponse,
  tunnel,
}: CallDetails): number {
  const messages = [clientRequest, engineRequest, engineResponse, clientResponse].flatMap((message) =>
    message === undefined
      ? []
      : [message.line, ...message.headers.flat(), message.body?.json, message.body?.text, message.stream?.text],
  )
  const texts = [...messages, tunnel?.client.text, tunnel?.engine.text]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), REPEATED * summary.target.length)
}
