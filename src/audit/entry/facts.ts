import type { Finding } from '../../api/validation/finding.ts'
import type { ApiVersion } from '../../api/version.ts'
import type { Loss } from '../../translate/message.ts'
import type { Counted } from '../metrics/metrics.ts'
import type { RequestHead } from '../observer.ts'
import type { AuditRecord } from '../record/record.ts'
import { Timing } from './timing.ts'

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

/** What is known of a call so far. The lists stay undefined until something is in them: most calls need none. */
export class Facts {
  readonly timing = new Timing()
  readonly applied: Applied = {}
  decision: Decision | undefined
  policy: PolicyDecision | undefined
  knownClient: AuditRecord['knownClient']
  forwarded: RequestHead | undefined
  /** Calls that the bridge itself made for this one. */
  further: RequestHead[] | undefined
  losses: Loss[] | undefined
  ignored: string[] | undefined
  notes: string[] | undefined
  findings: Pick<Finding, 'field' | 'rule'>[] | undefined
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
      lost: this.losses?.map(({ change }) => change) ?? [],
      changes: this.decision?.changes ?? [],
      policy: this.policy?.decision,
    }
  }
}
