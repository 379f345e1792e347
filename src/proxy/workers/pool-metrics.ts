import { AggregatorRegistry, Registry } from 'prom-client'
import { auditMetrics } from '../../audit/metrics/audit-metrics.ts'
import { collected } from '../../audit/metrics/collected.ts'
import type { AuditLog } from '../../audit/sink.ts'
import { within } from '../../config/within.ts'
import type { Exposition } from '../admin.ts'
import type { WorkerCalls } from './calls.ts'
import type { Member, WorkerPool } from './worker-pool.ts'

type Told = Awaited<ReturnType<WorkerCalls['metrics']>>

interface Sources {
  readonly pool: Pick<WorkerPool, 'members' | 'restarts'>
  readonly audit: Pick<AuditLog, 'status'>
  readonly log: { warn(facts: object, message: string): void }
}

/** Metric types that stay in the sums after their worker has ended; gauges do not. */
const GOES_ON = new Set<unknown>(['counter', 'histogram'])
const goingOn = (told: Told): Told => told.filter(({ type }) => GOES_ON.has(type))

/**
 * Merges the metrics of all workers and of the primary: counters are summed, including those last reported by workers
 * that have ended.
 */
export class PoolMetrics implements Exposition {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE
  readonly #sources: Sources
  readonly #own = new Registry()
  readonly #last = new Map<Member, Told>()
  #ended: Told[] = []

  constructor(sources: Sources) {
    this.#sources = sources
    const { pool, audit } = sources
    auditMetrics(this.#own, () => audit.status())
    collected('gauge', this.#own, {
      name: 'enginebridge_workers',
      help: 'Worker processes that serve',
      values: () => [[pool.members.length]],
    })
    collected('counter', this.#own, {
      name: 'enginebridge_worker_restarts_total',
      help: 'Workers that ended by themselves and were started again',
      values: () => [[pool.restarts]],
    })
  }

  async metrics(): Promise<string> {
    const { pool, log } = this.#sources
    const answered = new Set<Member>()
    await Promise.all(
      pool.members.map(async (member) => {
        try {
          const told = await inTime(member, member.link.call('metrics', []))
          if (!pool.members.includes(member)) return // ended meanwhile: `left` has kept its last report
          this.#last.set(member, told)
          answered.add(member)
        } catch (err) {
          log.warn({ err, worker: member.worker }, 'a worker reports no metrics: the sums keep its last values')
        }
      }),
    )
    const told = [...this.#last].map(([member, last]) => (answered.has(member) ? last : goingOn(last)))
    if (this.#ended.length > 1)
      this.#ended = [(await AggregatorRegistry.aggregate(this.#ended).getMetricsAsJSON()) as Told]
    const all = AggregatorRegistry.aggregate([...told, ...this.#ended])
    return `${await all.metrics()}${await this.#own.metrics()}`
  }

  /** Keeps the last counters of a worker that has ended. */
  left(member: Member): void {
    const last = this.#last.get(member)
    this.#last.delete(member)
    if (last !== undefined) this.#ended.push(goingOn(last))
  }

  /** Resolves if any worker reaches the engine; rejects with the first worker's reason. */
  ask(): Promise<{ readonly release: string }> {
    const { members } = this.#sources.pool
    const asked = members.map((member) => inTime(member, member.link.call('ready', []), ', or the engine does not'))
    return Promise.any(asked).catch(({ errors: [first] }: AggregateError) => {
      throw first ?? new Error('no worker is running')
    })
  }
}

const TIMEOUT_MS = 5_000

const inTime = <T>({ worker }: Member, answer: Promise<T>, otherwise = ''): Promise<T> =>
  within(TIMEOUT_MS, answer, () => {
    throw new Error(`worker ${worker} does not answer within ${TIMEOUT_MS / 1000} s${otherwise}`)
  })
