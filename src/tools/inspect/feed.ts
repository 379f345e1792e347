import type { ServerResponse } from 'node:http'
import type { Hub } from './hub.ts'
import type { CallSummary } from './shown/view.ts'

/** Time for batching changes before a viewer is notified. */
const GATHER_MS = 150
/** A viewer that reads nothing for this long has left. */
const TIMEOUT_MS = 60_000

/** One notification; the first has all calls. */
export interface Told {
  readonly calls: readonly CallSummary[]
  readonly gone: readonly number[]
}

/**
 * One viewer's live feed: server-sent events. For a slow viewer only the numbers of changed calls are queued, each
 * once, and their current state is sent when the viewer reads again. It may miss an intermediate state, but never a
 * call.
 */
export function feed(hub: Hub, res: ServerResponse): void {
  const changed = new Set(hub.ids)
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    timer = undefined
    const calls = [...changed].flatMap((id) => hub.summary(id) ?? [])
    for (const { id } of calls) changed.delete(id)
    const read = res.write(`data: ${JSON.stringify({ calls, gone: [...changed] } satisfies Told)}\n\n`)
    changed.clear()
    if (!read) timer = setTimeout(() => res.destroy(), TIMEOUT_MS)
  }
  const leave = hub.watch((id) => {
    changed.add(id)
    timer ??= setTimeout(tell, GATHER_MS)
  })
  res.on('drain', () => {
    clearTimeout(timer)
    timer = changed.size > 0 ? setTimeout(tell, GATHER_MS) : undefined
  })
  res.once('close', () => {
    leave()
    clearTimeout(timer)
  })
  tell()
}
