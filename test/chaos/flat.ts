/** One look at the program while it rests: no client, no engine, all garbage collected. */
export interface Rest {
  /** Calls made since the start. */
  readonly calls: number
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
  readonly sockets: number
  readonly descriptors: number
}

export const KINDS = ['heapUsed', 'external', 'rss'] as const

export interface Growth {
  /** Of the line that fits best. */
  readonly bytesPerCall: number
  readonly first: number
  readonly last: number
}

/** What a call may leave behind, on the line through all rests after the warm-up: less than any object takes. */
const MOST_BYTES_PER_CALL = { heapUsed: 8, external: 8 } as const
/**
 * How much the highest resident memory of the second half may be above that of the first. What the system counts goes up and
 * down by a quarter with the pace of the calls (what the allocator keeps for the next ones), so a line through it tells how
 * busy the machine was; what leaks raises the peaks.
 */
const HIGHER_PEAK = 1.1
/** The part of the rests in which caches fill and the compiler works. */
const WARM_UP = 0.25
/** So few rests say nothing of a slope. */
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

/** What is not flat, as sentences. Descriptors are judged at every rest, memory where there are enough of them. */
export function notFlat(rests: readonly Rest[]): string[] {
  const [first] = rests
  if (first === undefined) return ['there was no rest']
  const wrong = rests.flatMap(({ calls, descriptors }) =>
    descriptors > first.descriptors
      ? [`after ${calls} calls ${descriptors} descriptors are open at rest; there were ${first.descriptors}`]
      : [],
  )
  if (rests.length < FEWEST_RESTS) return wrong
  for (const kind of ['heapUsed', 'external'] as const) {
    const { bytesPerCall } = growth(rests, kind)
    if (bytesPerCall > MOST_BYTES_PER_CALL[kind]) wrong.push(`${kind} grows by ${bytesPerCall.toFixed(1)} bytes a call`)
  }
  const [before, after] = residentPeaks(rests)
  if (after > before * HIGHER_PEAK)
    wrong.push(
      `resident memory had its peak at ${megabytes(before)} in the first half and at ${megabytes(after)} in the second`,
    )
  return wrong
}

/** The highest resident memory of each half, in bytes. */
export function residentPeaks(rests: readonly Rest[]): readonly [first: number, second: number] {
  const half = Math.ceil(rests.length / 2)
  const peak = (some: readonly Rest[]): number => Math.max(0, ...some.map(({ rss }) => rss))
  return [peak(rests.slice(0, half)), peak(rests.slice(half))]
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
