import { readFile } from 'node:fs/promises'
import type { Log } from '../config/log.ts'
import { asPlainJson, messageOf } from '../config/text.ts'
import type { AuditRecord, AuditSink } from './audit.ts'
import { Chain, chainedLine } from './log/chain.ts'
import { AuditFile } from './log/file.ts'
import { type QueueStatus, RecordQueue } from './log/queue.ts'
import { openStandardOutput } from './log/standard-output.ts'
import type { Resumed, Store, StoreNote } from './log/store.ts'
import { timestamp } from './timestamp.ts'

/** The audit logs of a bridge. */
export interface AuditLog extends AuditSink {
  /** Like `write`, for a line formatted by another process. */
  add(line: string, stage: string): Promise<void> | undefined
  /** Reopens files that were rotated (SIGHUP, logrotate). */
  reopen(): void
  /** Flushes as far as possible, and closes. */
  close(): Promise<void>
  status(): readonly QueueStatus[]
}

/** Settings of audit logs, named like their flags; bytes and milliseconds. */
interface AuditSettings {
  readonly 'audit-log': readonly string[]
  readonly 'audit-mode': 'async' | 'blocking'
  readonly 'audit-queue': number
  readonly 'audit-rotate-size'?: number | undefined
  readonly 'audit-rotate-age'?: number | undefined
  readonly 'audit-keep'?: number | undefined
  readonly 'audit-chain': 'off' | 'on'
  readonly 'audit-chain-key'?: string | undefined
}

/** Shorter keys could be guessed. */
const LEAST_KEY_BYTES = 16

/**
 * Opens the logs: `-` is standard output, `off` none, anything else a file to append to. Rejects with a readable error.
 * `forPeople` formats records for standard output.
 */
export async function openAudit(
  config: AuditSettings,
  log: Log,
  forPeople?: (record: string) => readonly string[],
): Promise<AuditLog> {
  const keyFile = config['audit-chain-key']
  const key = keyFile === undefined ? undefined : await readChainKey(keyFile)
  const queues: RecordQueue[] = []
  try {
    for (const target of config['audit-log']) {
      if (target === 'off') continue
      const store = await openStore(target, config, log)
      const chain = config['audit-chain'] === 'on' ? chainFrom(store.resumed, key, log) : undefined
      const blocking = config['audit-mode'] === 'blocking'
      const shown = target === '-' ? forPeople : undefined
      queues.push(new RecordQueue({ store, chain, blocking, limit: config['audit-queue'], format: lineOf, shown, log }))
    }
  } catch (cause) {
    await Promise.all(queues.map((queue) => queue.close()))
    throw cause
  }
  const add: AuditLog['add'] = (line, stage) => {
    const waits = queues.flatMap((queue) => queue.add(line, stage) ?? [])
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
  }
  return {
    add,
    write: queues.length === 0 ? () => undefined : (record) => add(lineOf(record), record.stage),
    reopen: () => {
      for (const queue of queues) queue.reopen()
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
    status: () => queues.map(({ status }) => status),
  }
}

/** A record as a line. Records have their own time and audit level; pino, which adds both, takes six times as long. */
export const lineOf = (record: AuditRecord | StoreNote): string =>
  `${asPlainJson(JSON.stringify('time' in record ? record : { time: timestamp(), ...record }))}\n`

async function openStore(path: string, config: AuditSettings, log: Log): Promise<Store> {
  if (path === '-') return await openStandardOutput()
  const rotation = { size: config['audit-rotate-size'], age: config['audit-rotate-age'], keep: config['audit-keep'] }
  try {
    return await AuditFile.open({ path, rotation, log })
  } catch (cause) {
    throw new Error(`cannot open the audit log ${path}: ${messageOf(cause)}`, { cause })
  }
}

/** Reads a chain key: the bytes of the file without a final newline. */
export async function readChainKey(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(`cannot read the key of the audit chain: ${messageOf(cause)}`, { cause })
  })
  const key = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
  if (key.length < LEAST_KEY_BYTES)
    throw new Error(
      `the key of the audit chain in ${path} has ${key.length} bytes; expected at least ${LEAST_KEY_BYTES}`,
    )
  return key
}

function chainFrom(resumed: Resumed | undefined, key: Buffer | undefined, log: Log): Chain {
  if (resumed === undefined) return new Chain(key)
  const last = chainedLine(resumed.lastLine)
  if (last === undefined)
    log.warn({ file: resumed.from }, 'the last line of the audit log is not chained: starting a new chain')
  return new Chain(key, last && { seq: last.seq, hash: last.hash })
}
