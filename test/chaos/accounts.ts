import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Called } from './calls.ts'

interface AuditLine {
  readonly auditId: string
  readonly stage: string
  readonly operation?: string
  readonly userAgent?: string
}

/** Read line by line: after hours, a file is longer than the longest string. */
const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })

/** Every answered call has one final record, no call has two, and every started record has a final one. */
export async function auditAccounts(file: string, called: readonly Called[]): Promise<string[]> {
  const ends = new Map<string, number>()
  const open = new Map<string, string>()
  for await (const line of linesOf(file)) {
    const { auditId, stage, operation, userAgent } = JSON.parse(line) as AuditLine
    const who = userAgent ?? ''
    if (stage === 'received') open.set(auditId, `${operation} of ${who}`)
    if (stage !== 'complete' && stage !== 'failed') continue
    open.delete(auditId)
    ends.set(who, (ends.get(who) ?? 0) + 1)
  }
  const wrong = [...open].map(([auditId, what]) => `the audit has no end of ${what} (${auditId})`)
  for (const { kind, id, status } of called) {
    const count = ends.get(id) ?? 0
    if (count > 1 || (count === 0 && status !== undefined))
      wrong.push(`${count} ends in the audit of ${kind.name} (${id})`)
  }
  return wrong
}

/** A call that changes something reached the engine at most once, and exactly once if its client got a success. */
export async function ledgerAccounts(file: string, called: readonly Called[]): Promise<string[]> {
  const reached = new Map<string, number>()
  if (existsSync(file))
    for await (const line of linesOf(file)) {
      const id = /\bc\d+n\d+\b/.exec(line)?.[0]
      if (id !== undefined && line.startsWith('POST ')) reached.set(id, (reached.get(id) ?? 0) + 1)
    }
  return called.flatMap(({ kind, id, status }) => {
    const times = kind.changes ? (reached.get(id) ?? 0) : 0
    const done = kind.changes && status !== undefined && status < 300
    if (times > 1) return [`${kind.name} (${id}) reached the engine ${times} times`]
    return done && times === 0 ? [`${kind.name} (${id}) was answered ${status} and never reached the engine`] : []
  })
}

export const hung = (called: readonly Called[]): string[] =>
  called.filter((one) => one.hung).map(({ kind, id }) => `hung: ${kind.name} (${id})`)
