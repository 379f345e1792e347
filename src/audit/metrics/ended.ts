import type { Histogram, MetricValueWithName } from 'prom-client'
import { isOperationName, operationNamed } from '../../api/operations.ts'

/** Seconds. */
const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

/** Calls of one operation in one lane. */
interface Tally {
  readonly operation: string
  readonly lane: string
  readonly byStatus: Map<number, number>
  /** Calls per bucket, not cumulative; the last one is unbounded. */
  readonly buckets: number[]
  seconds: number
}

/**
 * Counts ended calls in plain numbers and builds labels on collection: prom-client hashes the labels at every increment
 * (measured: 5% of a small call).
 */
export class EndedCalls {
  readonly #tallies = new Map<string, Map<string, Tally>>()

  add(operation: string, lane: string, status: number, seconds: number): void {
    const tally = this.#tallies.get(operation)?.get(lane) ?? this.#begin(operation, lane)
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
    tally.seconds += seconds
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket++
    tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1
  }

  #begin(operation: string, lane: string): Tally {
    const buckets = new Array<number>(BOUNDS.length + 1).fill(0)
    const tally: Tally = { operation, lane, byStatus: new Map(), buckets, seconds: 0 }
    this.#tallies.set(operation, (this.#tallies.get(operation) ?? new Map<string, Tally>()).set(lane, tally))
    return tally
  }

  #all(): Tally[] {
    return [...this.#tallies.values()].flatMap((byLane) => [...byLane.values()])
  }

  /** Numbers of calls with their labels. */
  counts(): [number, Record<string, string>][] {
    return this.#all().flatMap(({ operation, lane, byStatus }) =>
      [...byStatus].map(([status, calls]): [number, Record<string, string>] => [
        calls,
        { operation, ...routeOf(operation), lane, status: String(status) },
      ]),
    )
  }

  /** A metric for prom-client's registry. */
  histogram(name: string, help: string): Histogram {
    const facts = { name, help, type: 'histogram', aggregator: 'sum' }
    const get = async () => ({ ...facts, values: this.#values(name) })
    // prom-client's types want an enum and a class, its code strings and these functions.
    return { ...facts, get, reset: () => this.#tallies.clear() } as unknown as Histogram
  }

  #values(name: string): MetricValueWithName<string>[] {
    return this.#all().flatMap(({ operation, lane, buckets, seconds }) => {
      const labels = { operation, lane }
      let below = 0
      const bounded = buckets.map((calls, i) => {
        below += calls
        return { metricName: `${name}_bucket`, labels: { le: BOUNDS[i] ?? '+Inf', ...labels }, value: below }
      })
      return [
        ...bounded,
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: below },
      ]
    })
  }
}

/** The route template: names of containers and images must not become labels. */
function routeOf(operation: string): { method: string; route: string } {
  if (!isOperationName(operation)) return { method: '', route: '' }
  const { method, path } = operationNamed(operation)
  return { method, route: path.replaceAll('*', '') }
}
