import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import type { Log } from '../config/log.ts'
import type { AuditRecord, AuditSink } from './audit.ts'
import { Chain, chainedLine, ORIGIN } from './log/chain.ts'
import { AuditFile, type Resumed } from './log/file.ts'
import { type QueueStatus, RecordQueue } from './log/queue.ts'
import { StandardOutput } from './log/standard-output.ts'
import type { Store, StoreNote } from './log/store.ts'
import { ReadableOutput } from './readable-output.ts'
import { timestamp } from './timestamp.ts'

/** The audit log of a bridge, in one place or several. */
export interface AuditLog extends AuditSink {
  /** As `write`, for a record that another process has written as its line. */
  add(line: string, stage: string): Promise<void> | undefined
  /** Opens its files anew: they were moved away (SIGHUP, logrotate). */
  reopen(): void
  /** Writes what waits, as far as it can be written, and closes. */
  close(): Promise<void>
  status(): readonly QueueStatus[]
}

/** The settings of audit logs, named as their flags; bytes and milliseconds. */
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

/** A key that can be guessed protects nothing. */
const LEAST_KEY_BYTES = 16

/**
 * `-` is standard output, `off` nowhere, anything else a file that is appended to. Rejects with a sentence when one of
 * them cannot be opened. `forPeople` turns a record into what standard output shows of it.
 */
export async function openAudit(
  config: AuditSettings,
  log: Log,
  forPeople?: (record: string) => readonly string[],
): Promise<AuditLog> {
  const key = await chainKey(config['audit-chain-key'])
  const format = lineFormat()
  const queues: RecordQueue[] = []
  try {
    for (const target of config['audit-log']) {
      if (target === 'off') continue
      const { store, resumed } = await openStore(target, config, log, forPeople)
      const chain = config['audit-chain'] === 'on' ? chainFrom(resumed, key, log) : undefined
      const blocking = config['audit-mode'] === 'blocking'
      queues.push(new RecordQueue({ store, chain, blocking, limit: config['audit-queue'], format, log }))
    }
  } catch (cause) {
    await Promise.all(queues.map((queue) => queue.close()))
    throw cause
  }
  const add = adder(queues)
  return {
    add,
    write: queues.length === 0 ? () => undefined : (record) => add(format(record), record.stage),
    reopen: () => {
      for (const queue of queues) queue.reopen()
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
    status: () => queues.map(({ status }) => status),
  }
}

function adder(queues: readonly RecordQueue[]): AuditLog['add'] {
  const [only] = queues
  if (only === undefined) return () => undefined
  if (queues.length === 1) return (line, stage) => only.add(line, stage)
  return (line, stage) => {
    const waits = queues.map((queue) => queue.add(line, stage)).filter((wait) => wait !== undefined)
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
  }
}

/** A record as its line, written by pino. */
export function lineFormat(): (record: AuditRecord | StoreNote) => string {
  let line = ''
  const lines = {
    write: (text: string) => {
      line = text.startsWith('{,') ? `{${text.slice(2)}` : text // pino's comma after the level that was left out
    },
  }
  // A record has its own time, and a level that is not pino's.
  const pinoLog = pino({ base: null, timestamp: false, formatters: { level: () => ({}) } }, lines)
  return (record) => {
    pinoLog.info('time' in record ? record : { time: timestamp(), ...record })
    return line
  }
}

async function openStore(
  path: string,
  config: AuditSettings,
  log: Log,
  forPeople: Parameters<typeof openAudit>[2],
): Promise<{ store: Store; resumed: Resumed }> {
  if (path === '-') {
    const output = new StandardOutput()
    const store = forPeople === undefined ? output : new ReadableOutput(output, forPeople)
    return { store, resumed: { lastLine: undefined, from: undefined } }
  }
  const rotation = {
    size: config['audit-rotate-size'],
    age: config['audit-rotate-age'],
    keep: config['audit-keep'],
  }
  try {
    return await AuditFile.open({ path, rotation, log })
  } catch (cause) {
    throw new Error(`the audit log ${path} cannot be opened: ${reasonOf(cause)}`, { cause })
  }
}

async function chainKey(path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined
  return readChainKey(path)
}

/** The key of a chain: the bytes of the file, without a newline at its end. */
export async function readChainKey(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(`the key of the audit chain cannot be read: ${reasonOf(cause)}`, { cause })
  })
  const key = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
  if (key.length < LEAST_KEY_BYTES)
    throw new Error(`the key of the audit chain in ${path} has ${key.length} bytes; ${LEAST_KEY_BYTES} are the least`)
  return key
}

function chainFrom({ lastLine, from }: Resumed, key: Buffer | undefined, log: Log): Chain {
  const last = lastLine === undefined ? undefined : chainedLine(lastLine)
  if (lastLine !== undefined && last === undefined)
    log.warn({ file: from }, 'the last line of the audit log is none of a chain: a new chain begins')
  return new Chain(key, last === undefined ? ORIGIN : { seq: last.seq, hash: last.hash })
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
