import type { Memory } from '../support/memory.ts'

/** A measurement of the program at rest: no client, no engine, all garbage collected (test/support/memory-probe.ts). */
export interface Rest extends Memory {
  /** Calls made since the start. */
  readonly calls: number
  readonly sockets: number
  readonly descriptors: number
}

export const KINDS = ['heapUsed', 'external', 'rss'] as const

export interface Growth {
  /** The slope of the line that fits best. */
  readonly bytesPerCall: number
  readonly first: number
  readonly last: number
}

/**
 * The memory that a call may leave behind, on the line through all rests after the warm-up. On the heap, it is less than any object
 * takes. For `rss` it is more: memory freed outside V8's heap goes back to the C library, which keeps some of it.
 */
const MAX_BYTES_PER_CALL = { heapUsed: 8, external: 8, rss: 40 } as const
/** The part of the rests in which caches fill and the compiler works. */
const WARM_UP = 0.25
/** With fewer rests, a slope means nothing. */
const FEWEST_RESTS = 12

/** Least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(([at]) => at), mean(([, at]) => at)]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, [at, of]) => sum + (at - x) * (of - y), 0) / spread
}

export const warm = (rests: readonly Rest[]): readonly Rest[] => rests.slice(Math.floor(rests.length * WARM_UP))

export function growth(rests: readonly Rest[], of: (typeof KINDS)[number]): Growth {
  const judged = warm(rests)
  const bytesPerCall = slope(judged.map((rest) => [rest.calls, rest[of]]))
  return { bytesPerCall, first: judged[0]?.[of] ?? 0, last: judged.at(-1)?.[of] ?? 0 }
}

/** Each growth as a sentence. Descriptors are judged at every rest, memory only if there are enough rests. */
export function notFlat(rests: readonly Rest[]): string[] {
  const [first] = rests
  if (first === undefined) return ['there was no rest']
  const wrong = rests.flatMap(({ calls, descriptors }) =>
    descriptors > first.descriptors
      ? [`after ${calls} calls ${descriptors} descriptors are open at rest; there were ${first.descriptors}`]
      : [],
  )
  if (rests.length < FEWEST_RESTS) return wrong
  for (const kind of KINDS) {
    const { bytesPerCall } = growth(rests, kind)
    if (bytesPerCall > MAX_BYTES_PER_CALL[kind]) wrong.push(`${kind} grows by ${bytesPerCall.toFixed(1)} bytes a call`)
  }
  return wrong
}
