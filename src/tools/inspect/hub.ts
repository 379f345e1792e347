import type { CallObserver } from '../../audit/observer.ts'
import type { Entry } from '../../audit/record/entry.ts'
import type { Watched } from '../../audit/watched.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import { type Keeping, unseen, WatchedCall } from './call.ts'
import type { CallDetails, CallSummary } from './shown/view.ts'

/** How much is kept in all. */
export interface Bounds extends Keeping {
  readonly calls: number
  /** In bytes, about. */
  readonly memory: number
}

/** A call that is over: nothing of the bridge's own is held with it. */
interface Kept {
  readonly details: CallDetails
  readonly held: number
}

/** Target, path and query of a call, and what was forwarded. */
const REPEATED = 3

/** Beside what its messages hold: summary, record. */
const HEADS = 4096

/** The last calls, as far as there is room. Whoever looks on is told the numbers of those that changed. */
export class Hub {
  readonly bounds: Bounds
  /** In the order in which they came. */
  readonly #calls = new Map<number, WatchedCall | Kept>()
  readonly #watchers = new Set<(id: number) => void>()
  /** What each open call held when it was last looked at. */
  readonly #open = new Map<number, number>()
  #held = 0
  #last = 0

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  /** How many have come since the bridge started. */
  get count(): number {
    return this.#last
  }

  /** What it holds, in bytes, about. */
  get held(): number {
    return this.#held
  }

  readonly observe = (watched: Watched): CallObserver => {
    const call = new WatchedCall(++this.#last, watched, this.bounds, (changed) => this.#grew(changed))
    this.#calls.set(call.id, call)
    this.#open.set(call.id, 0)
    this.#grew(call)
    return {
      request: (head, byEmulation) => call.request(head, byEmulation),
      answer: (place, head) => call.answer(place, head),
      body: (place, chunk) => call.body(place, chunk),
      stream: (from, chunk) => call.stream(from, chunk),
      over: () => this.#ended(call),
    }
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
    const { details } = call // which has it read what waited
    this.#weigh(call)
    return details
  }

  /** All of them, or those of these numbers. */
  chosen(ids: ReadonlySet<number> | undefined): CallDetails[] {
    return [...this.#calls.keys()]
      .filter((id) => ids === undefined || ids.has(id))
      .map((id) => this.details(id))
      .filter((details) => details !== undefined)
  }

  /** Forgets what is over; open calls stay. */
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

  /** Whether it is one of those that are kept. */
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
    call.over()
    const before = this.#open.get(call.id)
    if (before === undefined) return // there was no room for it
    this.#open.delete(call.id)
    this.#held -= before
    this.#keep(call.details)
  }

  #keep(details: CallDetails): void {
    const held = HEADS + textOf(details)
    this.#calls.set(details.summary.id, { details, held })
    this.#held += held
    this.#makeRoom()
    this.#tell(details.summary.id)
  }

  /** The oldest that are over go first; when all are open, the oldest of them go on unseen. */
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

/** What the messages of a call take, in characters. Its summary and its record say again what was asked for. */
function textOf({ summary, asked, forwarded, answered, given, tunnel }: CallDetails): number {
  const messages = [asked, forwarded, answered, given].flatMap((message) =>
    message === undefined
      ? []
      : [message.line, ...message.headers.flat(), message.body?.json, message.body?.text, message.stream?.text],
  )
  const texts = [...messages, tunnel?.client.text, tunnel?.engine.text]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), REPEATED * summary.target.length)
}
