import { formatVersion } from '../../api/version.ts'
import type { AuditRecord } from '../record/record.ts'
import { type Level, SCHEMA, type Stage } from '../record/terms.ts'
import { plainHeader, plainPath } from '../redact/secrets.ts'
import { REDACTED } from '../redact/text.ts'
import { timestamp } from '../timestamp.ts'
import type { CallFacts } from './facts.ts'

type Recorded = Exclude<Level, 'none'>

/** The record of an event, bodies aside; unknown members are undefined. Every text of a peer passes the redaction here. */
export function recordOf(facts: CallFacts, stage: Stage, level: Recorded): AuditRecord {
  const { call, decision, policy, secrets, told } = facts
  const { userAgent, traceparent } = facts.peer
  const changes = decision?.changes
  return {
    ...beginning(facts, stage, level),
    path: plainPath(call.path),
    ...facts.names,
    rule: facts.treatment.rule,
    userAgent: userAgent && plainHeader(userAgent),
    traceparent,
    prefix: call.prefix.kind === 'version' ? call.prefix.text : undefined,
    query: call.search.length > 1 ? secrets.search(call.search) : undefined,
    operation: facts.operation,
    // reasons quote what the client sent
    policy: policy && { ...policy, reason: policy.reason && secrets.clean(policy.reason) },
    knownClient: told && { name: told.name, told: formatVersion(told.version) },
    clientVersion: decision && formatVersion(decision.client),
    targetVersion: decision && formatVersion(decision.target),
    lane: decision?.lane,
    changes: changes?.length ? [...changes] : undefined,
    ...(stage === 'received' ? undefined : outcome(facts)),
  }
}

function outcome(facts: CallFacts): Partial<AuditRecord> {
  const { bytesIn, bytesOut, error, forwarded, secrets, session, status } = facts
  const clean = (text: string): string => secrets.clean(text)
  return {
    forwarded: forwarded && secrets.target(forwarded),
    furtherCalls: some(facts.further, (head) => secrets.target(head)),
    applied: facts.changes.recorded,
    status,
    bytesIn,
    bytesOut,
    duration: facts.timing.durations,
    endedBy: facts.endedBy,
    session,
    losses: some(facts.losses, ({ what, change, needs, outcome: client }) => {
      return { what: clean(what), change, needs: formatVersion(needs), outcome: client }
    }),
    ignored: some(facts.ignored, clean),
    notes: some(facts.notes, clean),
    findings: some(facts.findings, ({ field, rule }) => ({ field: clean(field), rule: clean(rule) })),
    error: error && { code: error.code, message: clean(error.message) },
  }
}

/** A record with nothing that has to be read or redacted. */
export function bareRecord(facts: CallFacts, stage: Stage, level: Recorded, message: string): AuditRecord {
  const { bytesIn, bytesOut, status } = facts
  const error = { code: 'internal', message }
  return { ...beginning(facts, stage, level), path: REDACTED, bytesIn, bytesOut, error, status }
}

const beginning = ({ id: auditId, method, peer: { listener, peer } }: CallFacts, stage: Stage, level: Recorded) => ({
  ...{ schema: SCHEMA as typeof SCHEMA, time: timestamp(), auditId, stage, level, listener, peer, method },
})

/** Lists without elements are left out. */
const some = <From, To>(list: readonly From[], map: (one: From) => To): To[] | undefined =>
  list.length === 0 ? undefined : list.map(map)
