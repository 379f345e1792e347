import { BadConfig } from '../config/bad-config.ts'
import type { Log } from '../config/log.ts'
import type { Auditing, AuditSink, Treatment } from './audit.ts'
import type { Level } from './record/terms.ts'
import { usual } from './redact/json.ts'
import type { Observer } from './watched.ts'

/** Settings of audit records, named like their flags; bytes. */
interface RecordSettings {
  readonly 'audit-log': readonly string[]
  readonly 'audit-level': Level
  readonly 'audit-policy'?: string | undefined
  readonly 'audit-mode': 'async' | 'blocking'
  readonly 'audit-body-limit': number
  readonly 'audit-sessions'?: string | undefined
}

/** Builds the auditing and its session recorder. `rules`: of `--audit-policy`, when they are read. Throws BadConfig. */
export async function makeAuditing(
  config: RecordSettings,
  sink: AuditSink,
  log: Pick<Log, 'error'>,
  rules?: unknown,
): Promise<{ auditing: Auditing; observers: readonly Observer[] }> {
  const { 'audit-policy': path, 'audit-sessions': folder, 'audit-body-limit': bodyLimit } = config
  // without a log, records are not built
  const level = config['audit-log'].every((target) => target === 'off') ? 'none' : config['audit-level']
  if (path === undefined) {
    if (folder !== undefined)
      throw new BadConfig(['--audit-sessions needs --audit-policy, whose rules select the sessions'])
    const treatment: Treatment = { level, omits: new Set() }
    return { auditing: { sink, treat: () => treatment, bodyLimit, redaction: usual }, observers: [] }
  }
  const { readAuditPolicy } = await import('./record/policy.ts')
  const { treat, redaction, recordsSessions, omits } = await readAuditPolicy(path, level, rules)
  if (config['audit-mode'] === 'blocking' && omits.includes('received'))
    throw new BadConfig([`${path}: omitStages: with --audit-mode blocking every call waits for its received record`])
  if (recordsSessions && folder === undefined)
    throw new BadConfig([`${path} records sessions: set --audit-sessions to a directory for them`])
  const auditing = { sink, treat, redaction, bodyLimit }
  if (folder === undefined || !recordsSessions) return { auditing, observers: [] }
  const { sessionRecorder } = await import('./session/sessions.ts')
  return { auditing, observers: [await sessionRecorder(folder, log)] }
}
