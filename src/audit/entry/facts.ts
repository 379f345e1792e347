import { randomUUID } from 'node:crypto'
import type { OperationName } from '../../api/operations.ts'
import type { Call } from '../../api/read-call.ts'
import type { Finding } from '../../api/validation/finding.ts'
import type { ApiVersion } from '../../api/version.ts'
import { type EngineRequest, isSafe } from '../../http/engine/request.ts'
import type { Loss } from '../../translate/message.ts'
import type { Auditing, Subject, Treatment } from '../audit.ts'
import type { RequestHead } from '../observer.ts'
import { namesOf } from '../record/names.ts'
import type { Peer } from '../record/peer.ts'
import type { AuditRecord } from '../record/record.ts'
import { CallSecrets } from '../redact/secrets.ts'
import { AppliedChanges } from './applied-changes.ts'
import { Timing } from './timing.ts'

/** Limit of further reads that a record lists; what changes something is always listed. */
const MAX_READS = 100

/** A request to the engine, with the body that the bridge gave it. */
export type SentRequest = RequestHead & Partial<Pick<EngineRequest, 'body'>>

/** How the call is forwarded. */
export interface Decision {
  readonly client: ApiVersion
  readonly target: ApiVersion
  readonly lane: NonNullable<AuditRecord['lane']>
  readonly changes: readonly string[]
}

/**
 * Everything known about one call, filled in while it is served; its records are made from this. Append to its lists
 * in place: a body can have 100,000 findings.
 */
export class CallFacts implements Subject {
  readonly call: Call
  readonly peer: Peer
  readonly treatment: Treatment
  readonly secrets: CallSecrets
  readonly timing = new Timing()
  /** The changes that modified the messages. */
  readonly changes: AppliedChanges
  decision: Decision | undefined
  /** The access policy's decision on the call. */
  policy: AuditRecord['policy']
  /** The client is told this version, which it is known to work with, instead of the engine's. */
  told: { readonly name: string; readonly version: ApiVersion } | undefined
  /** The call as it went to the engine. */
  forwarded: RequestHead | undefined
  /** Calls that the bridge itself made for this one. */
  readonly further: SentRequest[] = []
  #reads = 0
  /** Values that the engine's version cannot express. */
  readonly losses: Loss[] = []
  /** Parts of the client's request that had no effect. */
  readonly ignored = new Set<string>()
  /** Things done with the request besides its translation. */
  readonly notes: string[] = []
  /** Invalid parts of the request at the client's version, forwarded or not. */
  readonly findings: Pick<Finding, 'field' | 'rule'>[] = []
  /** The status sent to the client; undefined until it is known. */
  status: number | undefined
  /** Bytes of the client's body, or through its tunnel. */
  bytesIn = 0
  /** Bytes to the client. */
  bytesOut = 0
  /** The file that has the call's session. */
  session: string | undefined
  error: AuditRecord['error']
  #endedBy: AuditRecord['endedBy']
  readonly #auditing: Auditing
  // Made when asked for: with the audit off nothing reads them.
  #id: string | undefined
  #names: Subject['names'] | null = null

  constructor(auditing: Auditing, call: Call, peer: Peer) {
    this.#auditing = auditing
    this.call = call
    this.peer = peer
    this.secrets = new CallSecrets(call, peer.headers, auditing.redaction)
    this.treatment = auditing.treat(this)
    this.changes = new AppliedChanges(this.treatment.level)
  }

  get endedBy(): AuditRecord['endedBy'] {
    return this.#endedBy
  }

  set endedBy(who: AuditRecord['endedBy']) {
    this.#endedBy = this.#auditing.cuts === true ? 'bridge' : who
  }

  protected addFurther(request: SentRequest): void {
    if (!isSafe(request.method) || ++this.#reads <= MAX_READS) this.further.push(request)
  }

  /** Reads that are not in `further`. */
  get unlistedReads(): number {
    return Math.max(0, this.#reads - MAX_READS)
  }

  get id(): string {
    this.#id ??= randomUUID()
    return this.#id
  }

  get names(): Subject['names'] {
    if (this.#names === null) this.#names = namesOf(this.call, this.peer.headers)
    return this.#names
  }

  get operation(): OperationName | undefined {
    return this.call.match?.operation.name
  }
}
