import { Counter, Gauge, Registry } from 'prom-client'
import { counted, measured } from './collected.ts'
import { EndedCalls } from './ended.ts'

/** A finished call. */
export interface Counted {
  readonly operation: string
  readonly lane: string
  readonly status: number | undefined
  readonly seconds: number
  /** Ids of changes that reported a loss. */
  readonly lost: readonly string[]
  /** Ids of the plan's changes; the same array for all calls of a plan. */
  readonly changes: readonly string[]
  /** The access policy's decision, if there is a policy. */
  readonly policy: string | undefined
}

/** Prometheus metrics of a bridge. Label values come from fixed tables, never from paths or names. */
export class Metrics {
  readonly registry = new Registry()
  #open = 0
  readonly #ended = new EndedCalls()
  readonly #losses = new Counter({
    name: 'enginebridge_losses_total',
    help: 'Values that the target version could not express',
    labelNames: ['change'] as const,
    registers: [this.registry],
  })

  readonly #decisions = new Counter({
    name: 'enginebridge_policy_decisions_total',
    help: 'What the access policy said about calls',
    labelNames: ['decision', 'operation'] as const,
    registers: [this.registry],
  })
  /** Calls by their plan's changes, expanded on collection. */
  readonly #planned = new Map<readonly string[], number>()
  #tunnels = 0

  constructor() {
    measured(this.registry, {
      name: 'enginebridge_calls_open',
      help: 'Calls under way, streams and tunnels included',
      values: () => [[this.#open]],
    })
    measured(this.registry, {
      name: 'enginebridge_tunnels_open',
      help: 'Hijacked and upgraded connections',
      values: () => [[this.#tunnels]],
    })
    counted(this.registry, {
      name: 'enginebridge_calls_total',
      help: 'Calls that have ended',
      labelNames: ['operation', 'method', 'route', 'lane', 'status'],
      values: () => this.#ended.counts(),
    })
    const what = 'Duration of calls, from the request line to the last byte'
    this.registry.registerMetric(this.#ended.histogram('enginebridge_call_seconds', what))
    counted(this.registry, {
      name: 'enginebridge_changes_total',
      help: 'Calls in whose plan a change between versions was',
      labelNames: ['change'],
      values: () =>
        [...this.#planned].flatMap(([changes, calls]) => changes.map((change) => [calls, { change }] as const)),
    })
  }

  /** A gauge that is always 1, labelled with what is running. */
  describe(labels: Readonly<Record<string, string>>): void {
    const info = new Gauge({
      name: 'enginebridge_build_info',
      help: 'What runs',
      labelNames: Object.keys(labels),
      registers: [this.registry],
      aggregator: 'first', // all processes are one program
    })
    info.set({ ...labels }, 1)
  }

  get tunnels(): number {
    return this.#tunnels
  }

  tunnelOpened(): void {
    this.#tunnels++
  }

  tunnelClosed(): void {
    this.#tunnels--
  }

  get open(): number {
    return this.#open
  }

  began(): void {
    this.#open++
  }

  /** Without `call`: a request that could not be read. */
  ended(call: Counted = UNREAD): void {
    this.#open--
    const { operation, lane, changes, policy } = call
    if (call.lost.length > 0) for (const change of call.lost) this.#losses.inc({ change })
    if (changes.length > 0) this.#planned.set(changes, (this.#planned.get(changes) ?? 0) + 1)
    if (policy !== undefined) this.#decisions.inc({ decision: policy, operation })
    this.#ended.add(operation, lane, call.status ?? 0, call.seconds)
  }
}

const UNREAD: Counted = {
  ...{ operation: 'unknown', lane: 'none', status: 400, seconds: 0, lost: [], changes: [] },
  policy: undefined,
}
