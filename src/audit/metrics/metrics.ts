import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { isOperationName, operationNamed } from '../../api/operations.ts'
import { collected } from './collected.ts'

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
  open = 0
  tunnels = 0
  /** Responses of ended calls that their clients have not read. */
  unread = 0
  readonly #seconds = new Histogram({
    name: 'enginebridge_call_seconds',
    help: 'Duration of calls, from the request line to the last byte',
    labelNames: ['operation', 'lane'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  })

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

  // Counted by what they have in common; their labels are made on collection.
  readonly #calls = new Tally<string>()
  readonly #planned = new Tally<readonly string[]>()

  constructor() {
    collected('gauge', this.registry, {
      name: 'enginebridge_calls_open',
      help: 'Calls under way, streams and tunnels included',
      values: () => [[this.open]],
    })
    collected('gauge', this.registry, {
      name: 'enginebridge_tunnels_open',
      help: 'Hijacked and upgraded connections',
      values: () => [[this.tunnels]],
    })
    collected('counter', this.registry, {
      name: 'enginebridge_calls_total',
      help: 'Calls that have ended',
      labelNames: ['operation', 'method', 'route', 'lane', 'status'],
      values: () => [...this.#calls].map(([kind, calls]) => [calls, labelsOf(kind)] as const),
    })
    collected('counter', this.registry, {
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

  began(): void {
    this.open++
  }

  ended({ operation, lane, status = 0, seconds, lost, changes, policy }: Counted): void {
    this.open--
    for (const change of lost) this.#losses.inc({ change })
    if (changes.length > 0) this.#planned.count(changes)
    if (policy !== undefined) this.#decisions.inc({ decision: policy, operation })
    this.#calls.count(`${operation} ${lane} ${status}`)
    this.#seconds.observe({ operation, lane }, seconds)
  }
}

class Tally<Key> extends Map<Key, number> {
  count(key: Key): void {
    this.set(key, (this.get(key) ?? 0) + 1)
  }
}

/** The route is a template: names of containers and images must not become labels. */
function labelsOf(kind: string): Readonly<Record<string, string>> {
  const [operation = '', lane = '', status = ''] = kind.split(' ')
  const { method, path } = isOperationName(operation) ? operationNamed(operation) : { method: '', path: '' }
  return { operation, method, route: path.replaceAll('*', ''), lane, status }
}
