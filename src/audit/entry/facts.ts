import type { Finding } from '../../api/validation/finding.ts'
import type { ApiVersion } from '../../api/version.ts'
import type { Loss } from '../../translate/message.ts'
import type { Counted } from '../metrics/metrics.ts'
import type { RequestHead } from '../observer.ts'
import type { AuditRecord } from '../record/record.ts'
import type { Level } from '../record/terms.ts'

/** How the call is forwarded. */
export interface Decision {
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly lane: NonNullable<AuditRecord['lane']>
  readonly changes: readonly string[]
}

export type PolicyDecision = NonNullable<AuditRecord['policy']>

export type Side = 'request' | 'response'
/** Ids of the changes that had an effect; a side is absent if it is not measured. */
export type Applied = { [S in Side]?: Set<string> }

/** Collects the changes that modified a call's messages: for its records as their level asks, and for an inspector. */
export class AppliedChanges {
  readonly #level: Level
  readonly #recorded: Applied
  #watched: Applied | undefined

  constructor(level: Level, recorded: Applied) {
    this.#level = level
    this.#recorded = recorded
  }

  begin(): void {
    if (this.measures('request')) this.#recorded.request = new Set()
    if (this.measures('response')) this.#recorded.response = new Set()
  }

  /** From now on they are collected whatever the audit's level; its records stay as they are. */
  watch(): Applied {
    this.#watched ??= { request: new Set(), response: new Set() }
    return this.#watched
  }

  /** Whether the changes that modify the message are collected. */
  measures(side: Side): boolean {
    if (this.#watched !== undefined) return true
    return side === 'request' ? this.#level !== 'none' : this.#level === 'requestResponse'
  }

  /** A change modified the message. */
  add(change: string, side: Side): void {
    this.#recorded[side]?.add(change)
    this.#watched?.[side]?.add(change)
  }

  /** The message is too large to compare: the record omits the changes instead of listing too few. */
  unmeasured(side: Side): void {
    delete this.#recorded[side]
    if (this.#watched !== undefined) delete this.#watched[side]
  }
}

const { performance } = globalThis // the global performance is a getter

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Duration of a call, in total and in the engine. */
class Timing {
  readonly #started = performance.now()
  #asking: number | undefined
  #engine = 0
  #head: number | undefined

  /** A request was sent to the engine, or the rest of its response is awaited. */
  asks(): void {
    this.#asking ??= performance.now()
  }

  /** The awaited head or body has arrived. */
  heard(): void {
    if (this.#asking === undefined) return
    this.#engine += performance.now() - this.#asking
    this.#asking = undefined
  }

  /** The response head was sent to the client. */
  answered(): void {
    this.#head ??= performance.now()
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000
  }

  get durations(): NonNullable<AuditRecord['duration']> {
    const now = performance.now()
    const engine = this.#engine + (this.#asking === undefined ? 0 : now - this.#asking)
    const bridge = Math.max(0, (this.#head ?? now) - this.#started - engine)
    return { total: rounded(now - this.#started), engine: rounded(engine), bridge: rounded(bridge) }
  }
}

/** Collected facts about one call. Append to its lists in place: a body can have 100,000 findings. */
export class Facts {
  readonly timing = new Timing()
  readonly applied: Applied = {}
  decision: Decision | undefined
  policy: PolicyDecision | undefined
  knownClient: AuditRecord['knownClient']
  forwarded: RequestHead | undefined
  /** Calls that the bridge itself made for this one. */
  readonly further: RequestHead[] = []
  readonly losses: Loss[] = []
  readonly ignored: string[] = []
  readonly notes: string[] = []
  readonly findings: Pick<Finding, 'field' | 'rule'>[] = []
  status: number | undefined
  bytesIn = 0
  bytesOut = 0
  endedBy: AuditRecord['endedBy']
  session: string | undefined
  error: { code: string; message: string } | undefined

  get counted(): Omit<Counted, 'operation'> {
    return {
      lane: this.decision?.lane ?? 'none',
      status: this.status,
      seconds: this.timing.seconds,
      lost: this.losses.map(({ change }) => change),
      changes: this.decision?.changes ?? [],
      policy: this.policy?.decision,
    }
  }
}
