import { formatVersion } from '../../api/version.ts'
import type { AuditRecord } from '../record/record.ts'
import { type Kind, type Level, SCHEMA, type Stage } from '../record/terms.ts'
import { plainHeader, plainPath } from '../redact/secrets.ts'
import { REDACTED } from '../redact/text.ts'
import { timestamp } from '../timestamp.ts'
import type { CallFacts } from './facts.ts'

type Recorded = Exclude<Level, 'none'>

/**
 * The record of an event, bodies aside; unknown members are undefined. Every text of a peer passes the redaction here.
 * One literal without a spread: put together from parts, it takes V8 four times as long to make.
 */
export function recordOf(facts: CallFacts, stage: Stage, level: Recorded): AuditRecord {
  const { call, decision, policy, secrets, told, names } = facts
  const { userAgent, traceparent } = facts.peer
  const later = stage === 'received' ? undefined : facts
  const clean = (text: string): string => secrets.clean(text)
  return {
    schema: SCHEMA,
    time: timestamp(),
    auditId: facts.id,
    stage,
    level,
    listener: facts.peer.listener,
    peer: facts.peer.peer,
    method: call.method,
    path: plainPath(call.path),
    container: names?.container,
    image: names?.image,
    exec: names?.exec,
    network: names?.network,
    volume: names?.volume,
    plugin: names?.plugin,
    service: names?.service,
    node: names?.node,
    task: names?.task,
    secret: names?.secret,
    config: names?.config,
    rule: facts.treatment.rule,
    userAgent: userAgent && plainHeader(userAgent),
    traceparent,
    prefix: call.prefix.text,
    query: call.search.length > 1 ? secrets.search(call.search) : undefined,
    operation: facts.operation,
    // reasons quote what the client sent
    policy: policy && { ...policy, reason: policy.reason && clean(policy.reason) },
    knownClient: told && { name: told.name, told: formatVersion(told.version) },
    clientVersion: decision && formatVersion(decision.client),
    targetVersion: decision && formatVersion(decision.target),
    lane: decision?.lane,
    changes: decision === undefined || decision.changes.length === 0 ? undefined : [...decision.changes],
    forwarded: later?.forwarded && secrets.target(later.forwarded),
    furtherCalls: some(later?.further, (head) => secrets.target(head)),
    applied: later?.changes.recorded,
    status: later?.status,
    bytesIn: later?.bytesIn,
    bytesOut: later?.bytesOut,
    duration: later?.timing.durations,
    endedBy: later?.endedBy,
    session: later?.session,
    losses: some(later?.losses, ({ what, change, needs, outcome }) => {
      return { what: clean(what), change, needs: formatVersion(needs), outcome }
    }),
    ignored: some(later && [...later.ignored], clean),
    notes: some(later && notesOf(later), clean),
    findings: some(later?.findings, ({ field, rule }) => ({ field: clean(field), rule: clean(rule) })),
    error: later?.error && { code: later.error.code, message: clean(later.error.message) },
  } satisfies AuditRecord & Record<Kind, unknown>
}

const notesOf = ({ notes, unlistedReads }: CallFacts): readonly string[] =>
  unlistedReads === 0 ? notes : [...notes, `${unlistedReads} further reads of the engine are not listed`]

/** A record with nothing that has to be read or redacted. */
export function bareRecord(facts: CallFacts, stage: Stage, level: Recorded, message: string): AuditRecord {
  const { id: auditId, bytesIn, bytesOut, status } = facts
  const { method } = facts.call
  const { listener, peer } = facts.peer
  return {
    ...{ schema: SCHEMA, time: timestamp(), auditId, stage, level, listener, peer, method, path: REDACTED },
    ...{ bytesIn, bytesOut, error: { code: 'internal', message }, status },
  }
}

/** Lists without elements are left out. */
const some = <From, To>(list: readonly From[] | undefined, map: (one: From) => To): To[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list.map(map)
