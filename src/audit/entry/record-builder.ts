import { randomUUID } from 'node:crypto'
import type { Call } from '../../api/read-call.ts'
import { formatVersion } from '../../api/version.ts'
import type { Auditing } from '../audit.ts'
import type { Capture } from '../record/capture.ts'
import { type Names, namesOf } from '../record/names.ts'
import type { Peer } from '../record/peer.ts'
import type { AuditRecord } from '../record/record.ts'
import { type Level, SCHEMA, type Stage } from '../record/terms.ts'
import { CallSecrets, plainHeader, plainPath } from '../redact/secrets.ts'
import { REDACTED } from '../redact/text.ts'
import { timestamp } from '../timestamp.ts'
import type { Decision, Facts, PolicyDecision } from './facts.ts'

type Draft = { -readonly [Member in keyof AuditRecord]: AuditRecord[Member] }
type Recorded = Exclude<Level, 'none'>

/** Builds the records of one call from its facts. Every text of a peer passes the redaction here. */
export class RecordBuilder {
  readonly #auditing: Auditing
  readonly #call: Call
  readonly #peer: Peer
  readonly #facts: Facts
  #id: string | undefined
  #names: Names | undefined
  #secrets: CallSecrets | undefined

  constructor(auditing: Auditing, call: Call, peer: Peer, facts: Facts) {
    this.#auditing = auditing
    this.#call = call
    this.#peer = peer
    this.#facts = facts
  }

  // Created lazily: with the audit off nothing reads them.

  get id(): string {
    this.#id ??= randomUUID()
    return this.#id
  }

  get names(): Names {
    this.#names ??= namesOf(this.#call)
    return this.#names
  }

  get secrets(): CallSecrets {
    this.#secrets ??= new CallSecrets(this.#call, this.#peer.headers, this.#auditing.redaction)
    return this.#secrets
  }

  /** Before the call is forwarded. Throws where the call cannot be recorded: it is then refused. */
  received(stage: Stage, level: Recorded, rule: string | undefined): Draft {
    const { method, prefix, match, search } = this.#call
    const path = plainPath(this.#call.path)
    const { listener, peer, userAgent, traceparent } = this.#peer
    const { policy, knownClient, decision } = this.#facts
    const record: Draft = {
      ...{ schema: SCHEMA, time: timestamp(), auditId: this.id, stage, level, listener, peer, method, path },
      ...this.names,
    }
    if (rule !== undefined) record.rule = rule
    if (userAgent !== undefined) record.userAgent = plainHeader(userAgent)
    if (traceparent !== undefined) record.traceparent = traceparent
    if (prefix.kind === 'version') record.prefix = prefix.text
    if (search.length > 1) record.query = this.secrets.search(search)
    if (match !== undefined) record.operation = match.operation.name
    if (policy !== undefined) record.policy = { ...policy, ...this.#cleanReason(policy) }
    if (knownClient !== undefined) record.knownClient = knownClient
    if (decision !== undefined) addDecision(record, decision)
    return record
  }

  /** After the call was forwarded: never throws, since what was done has to be recorded. `capture`: bodies to add. */
  afterwards(stage: Stage, level: Recorded, rule: string | undefined, capture: Capture | undefined): Draft {
    try {
      const record = this.received(stage, level, rule)
      this.#addOutcome(record)
      if (capture !== undefined) this.#addBodies(record, capture)
      return record
    } catch (cause) {
      const kind = cause instanceof Error ? cause.name : 'error'
      return this.#bare(stage === 'answered' ? stage : 'failed', level, `cannot build the record (${kind})`)
    }
  }

  /** What a record would say of the call by now, bodies aside; without secrets. */
  report(rule: string | undefined): Readonly<AuditRecord> {
    const record = this.received('complete', 'metadata', rule)
    this.#addOutcome(record)
    return record
  }

  /** A record with nothing that has to be read or redacted. */
  #bare(stage: Stage, level: Recorded, message: string): Draft {
    const { listener, peer } = this.#peer
    const { status, bytesIn, bytesOut } = this.#facts
    const { method } = this.#call
    const record: Draft = {
      ...{ schema: SCHEMA, time: timestamp(), auditId: this.id, stage, level, listener, peer, method, path: REDACTED },
      ...{ bytesIn, bytesOut, error: { code: 'internal', message } },
    }
    if (status !== undefined) record.status = status
    return record
  }

  /** Reasons quote what the client sent. */
  #cleanReason({ reason }: PolicyDecision): Pick<PolicyDecision, 'reason'> {
    return reason === undefined ? {} : { reason: this.secrets.clean(reason) }
  }

  #addOutcome(record: Draft): void {
    const { forwarded, further, applied, status, bytesIn, bytesOut, timing, endedBy, session } = this.#facts
    const { request, response } = applied
    if (forwarded !== undefined) record.forwarded = this.secrets.target(forwarded)
    if (further.length > 0) record.furtherCalls = further.map((head) => this.secrets.target(head))
    if (request !== undefined && request.size > 0) record.applied = { ...record.applied, request: [...request] }
    if (response !== undefined && response.size > 0) record.applied = { ...record.applied, response: [...response] }
    if (status !== undefined) record.status = status
    record.bytesIn = bytesIn
    record.bytesOut = bytesOut
    record.duration = timing.durations
    if (endedBy !== undefined) record.endedBy = endedBy
    if (session !== undefined) record.session = session
    this.#addNotes(record)
  }

  #addNotes(record: Draft): void {
    const { losses, ignored, notes, findings, error } = this.#facts
    const { secrets } = this
    if (losses.length > 0)
      record.losses = losses.map(({ what, change, needs, outcome }) => {
        return { what: secrets.clean(what), change, needs: formatVersion(needs), outcome }
      })
    if (ignored.length > 0) record.ignored = ignored.map((what) => secrets.clean(what))
    if (notes.length > 0) record.notes = notes.map((text) => secrets.clean(text))
    if (findings.length > 0) record.findings = findings.map((finding) => secrets.cleanFinding(finding))
    if (error !== undefined) record.error = { code: error.code, message: secrets.clean(error.message) }
  }

  #addBodies(record: Draft, capture: Capture): void {
    const { bodyLimit: limit, redaction } = this.#auditing
    const context = { operation: this.#call.match?.operation.name, limit, redaction, secrets: this.secrets.known }
    Object.assign(record, capture.records(context, this.#facts.endedBy === undefined))
  }
}

function addDecision(record: Draft, { client, target, lane, changes }: Decision): void {
  record.clientVersion = formatVersion(client)
  record.targetVersion = formatVersion(target)
  record.lane = lane
  if (changes.length > 0) record.changes = [...changes]
}
