import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { AuditRecord } from '../../src/audit/audit.ts'
import { type AuditLog, openAudit } from '../../src/audit/sink.ts'
import { timestamp } from '../../src/audit/timestamp.ts'
import type { Log } from '../../src/config/log.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'

/** A folder for each test of a file. */
export function folders(): () => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eb-audit-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  return () => folder
}

/** A log that keeps its messages. */
export interface Heard extends Log {
  readonly said: string[]
}

export function heard(): Heard {
  const said: string[] = []
  const hear = (_facts: object, message: string): void => void said.push(message)
  return { said, info: hear, warn: hear, error: hear }
}

/** Opens the audit log that the flags set, `--audit-log` included. */
export function audit(flags: readonly string[], log: Log = heard()): Promise<AuditLog> {
  return openAudit(readConfig(flags, {}), log)
}

export const record = (n: number, stage: AuditRecord['stage'] = 'received', more: object = {}): AuditRecord => ({
  ...{ schema: 2, time: timestamp(), auditId: `call-${n}`, stage, level: 'metadata' },
  ...{ listener: 'unix:///bridge.sock', peer: {}, method: 'GET', path: '/info' },
  ...{ n, ...more },
})

export interface Written {
  readonly stage: string
  readonly n?: number
  readonly [member: string]: unknown
}

export const linesOf = (text: string): Written[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Written => JSON.parse(line))

export const written = async (path: string): Promise<Written[]> => linesOf(await readFile(path, 'utf8'))
