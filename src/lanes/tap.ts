import type { EngineRequest } from '../engine/connection.ts'
import type { Carriage, Observer, Tap, Watched } from './carriage.ts'

/** The taps that a call's observers want, as one; undefined when there are none. */
export function tapFor(observers: readonly Observer[], watched: Watched, own: Tap | undefined): Tap | undefined {
  if (observers.length === 0) return own
  const taps = [own, ...observers.map((observe) => observe(watched))].filter((tap) => tap !== undefined)
  return taps.length > 1 ? all(taps) : taps[0]
}

const all = (taps: readonly Tap[]): Tap => ({
  request: (head, byEmulation) => {
    for (const tap of taps) tap.request(head, byEmulation)
  },
  answer: (place, head) => {
    for (const tap of taps) tap.answer(place, head)
  },
  body: (place, chunk) => {
    for (const tap of taps) tap.body(place, chunk)
  },
  stream: (from, chunk) => {
    for (const tap of taps) tap.stream(from, chunk)
  },
  over: () => {
    for (const tap of taps) tap.over()
  },
})

/** Tells the audit, and shows to a tap, a request that is about to be sent. A body that streams is shown as it comes: `watchBody`. */
export function showRequest({ entry, tap }: Carriage, request: EngineRequest): void {
  entry.asks(request, false)
  if (tap === undefined) return
  tap.request(request, false)
  if (request.body instanceof Buffer) tap.body('forwarded', request.body)
}

/**
 * Counts, and shows to a tap, a body that streams through. The listener must not set the stream flowing: that is for
 * whoever sends it, which may have to connect first.
 */
export function watchBody({ req, entry, tap }: Carriage): void {
  req.pause()
  req.on('data', (chunk: Buffer) => {
    entry.received(chunk.length)
    tap?.body('asked', chunk)
    tap?.body('forwarded', chunk)
  })
}
