import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** One finished call, for the counters. */
export interface Counted {
  readonly operation: string
  readonly lane: string
  readonly status: number | undefined
  readonly seconds: number
  /** Ids of the changes that reported a loss. */
  readonly lost: readonly string[]
}

/** Prometheus metrics of one bridge. Label values come from fixed tables: no path or name ever is one. */
export class Metrics {
  readonly registry = new Registry()
  #open = 0
  readonly #calls = new Counter({
    name: 'enginebridge_calls_total',
    help: 'Calls that have ended',
    labelNames: ['operation', 'lane', 'status'] as const,
    registers: [this.registry],
  })
  readonly #seconds = new Histogram({
    name: 'enginebridge_call_seconds',
    help: 'Duration of calls, from the request line to the last byte',
    labelNames: ['lane'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  })
  readonly #losses = new Counter({
    name: 'enginebridge_losses_total',
    help: 'Values that the target version could not express',
    labelNames: ['change'] as const,
    registers: [this.registry],
  })

  constructor() {
    const open = (): number => this.#open
    new Gauge({
      name: 'enginebridge_calls_open',
      help: 'Calls under way, streams and tunnels included',
      registers: [this.registry],
      collect() {
        this.set(open())
      },
    })
  }

  /** Calls under way. */
  get open(): number {
    return this.#open
  }

  began(): void {
    this.#open++
  }

  /** `call` is undefined for a request line that could not be read. */
  ended(call: Counted = { operation: 'unknown', lane: 'none', status: 400, seconds: 0, lost: [] }): void {
    this.#open--
    for (const change of call.lost) this.#losses.inc({ change })
    this.#calls.inc({ operation: call.operation, lane: call.lane, status: String(call.status ?? 0) })
    this.#seconds.observe({ lane: call.lane }, call.seconds)
  }
}
