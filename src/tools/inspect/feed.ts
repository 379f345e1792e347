import type { ServerResponse } from 'node:http'
import type { Hub } from './hub.ts'
import type { CallSummary } from './shown/view.ts'

/** Time for batching changes before a viewer is notified. */
const GATHER_MS = 150
/** A viewer that reads nothing for this long has left. */
const PATIENCE_MS = 60_000

/** One notification. `all`: calls missing in `calls` are no longer kept. */
export interface Told {
  readonly calls: readonly CallSummary[]
  readonly gone: readonly number[]
  readonly all: boolean
}

/**
 * One viewer's live feed: server-sent events. For a slow viewer only the numbers of changed calls are queued, each
 * once, and their current state is sent when the viewer reads again. It may miss an intermediate state, but never a
 * call.
 */
export class Feed {
  readonly #hub: Hub
  readonly #res: ServerResponse
  readonly #changed = new Set<number>()
  readonly #leave: () => void
  #all = true
  #timer: NodeJS.Timeout | undefined
  #patience: NodeJS.Timeout | undefined

  constructor(hub: Hub, res: ServerResponse) {
    this.#hub = hub
    this.#res = res
    this.#leave = hub.watch((id) => this.#note(id))
    res.on('drain', () => {
      clearTimeout(this.#patience)
      this.#soon()
    })
    res.once('close', () => this.close())
    this.#tell()
  }

  close(): void {
    this.#leave()
    clearTimeout(this.#timer)
    clearTimeout(this.#patience)
    this.#res.destroy()
  }

  #note(id: number): void {
    this.#changed.add(id)
    // Too far behind: restart with the full list.
    if (this.#changed.size > 2 * this.#hub.bounds.calls) {
      this.#all = true
      this.#changed.clear()
    }
    this.#soon()
  }

  #soon(): void {
    if (this.#res.writableNeedDrain) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#tell()
    }, GATHER_MS)
  }

  #tell(): void {
    if (!this.#all && this.#changed.size === 0) return
    const told = this.#all ? { calls: this.#hub.summaries, gone: [], all: true } : this.#difference()
    this.#all = false
    this.#changed.clear()
    if (this.#res.write(`data: ${JSON.stringify(told satisfies Told)}\n\n`)) return
    this.#patience = setTimeout(() => this.close(), PATIENCE_MS)
  }

  #difference(): Told {
    const calls: CallSummary[] = []
    const gone: number[] = []
    for (const id of this.#changed) {
      const summary = this.#hub.summary(id)
      if (summary === undefined) gone.push(id)
      else calls.push(summary)
    }
    return { calls, gone, all: false }
  }
}
