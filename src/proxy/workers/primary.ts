import { createServer as createHttpServer } from 'node:http'
import net from 'node:net'
import type { Logger } from 'pino'
import type { AuditLog } from '../../audit/sink.ts'
import type { Address } from '../../http/address.ts'
import { listeningOf } from '../../http/listen/inherited.ts'
import { listen, listenAt, socketAccess } from '../../http/listen/listen.ts'
import { adminHandler, adminHosts } from '../admin.ts'
import type { Config } from '../settings/settings.ts'
import { Claims } from './claims.ts'
import type { FromWorker } from './messages.ts'
import { PoolMetrics } from './pool-metrics.ts'
import { Questions } from './questions.ts'
import { type Member, WorkerPool } from './worker-pool.ts'

/** The interface of a bridge of several processes for `enginebridge serve`. */
export interface Workers {
  readonly addresses: readonly Address[]
  readonly admin: Address | undefined
  /** The inspector shows the calls of one process only. */
  readonly inspect?: undefined
  reload(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  readonly log: Logger
  readonly audit: AuditLog
}

/**
 * Starts `--workers` processes behind one set of listeners. The primary, this process, listens and distributes
 * connections in turn; it alone writes the audit log and serves --admin. Workers do everything else (worker.ts).
 */
export async function startWorkers(
  args: readonly string[],
  config: Config,
  { log, audit }: Dependencies,
): Promise<Workers> {
  const listening = listeningOf(config.listen, process.env)
  const questions = new Questions()
  const claims = new Claims<Member>(() => pool.members, {
    busy: (member, token, { id, name }) => member.tell({ kind: 'busy', token, id, name }),
    idle: (member, token) => member.tell({ kind: 'idle', token }),
    claimed: (member, claim, watched) => member.tell({ kind: 'claimed', claim, watched }),
  })
  const pool = new WorkerPool({
    size: config.workers,
    args,
    begin: (worker) => ({ kind: 'begin', worker, listening }),
    log,
    told: {
      ready: (member) => claims.joined(member),
      heard: (member, message) => hear(message, member, { audit, claims, questions, pool }),
      left: (member) => {
        claims.left(member)
        questions.left(member)
        metrics.left(member)
      },
    },
  })
  const metrics = new PoolMetrics({ pool, questions, audit, log })
  const doors = listening.map((_listening, listener) =>
    net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => pool.give(listener, socket)),
  )
  const admin =
    config.admin === undefined ? undefined : createHttpServer(adminHandler(metrics, metrics, adminHosts(config)))
  const stop = async (): Promise<void> => {
    for (const door of doors) door.close()
    await pool.stop(config.grace * 1000)
    admin?.close()
    admin?.closeAllConnections()
  }
  try {
    await pool.start()
    const addresses = await Promise.all(
      doors.map((door, i) => listenAt(door, listening[i] ?? nowhere(i), socketAccess(config))),
    )
    const adminAddress =
      admin === undefined || config.admin === undefined ? undefined : await listen(admin, config.admin)
    return {
      addresses,
      admin: adminAddress,
      reload: async () => pool.tellAll({ kind: 'reload' }),
      close: stop,
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

interface Parts {
  readonly audit: AuditLog
  readonly claims: Claims<Member>
  readonly questions: Questions
  readonly pool: WorkerPool
}

function hear(message: FromWorker, from: Member, { audit, claims, questions, pool }: Parts): void {
  switch (message.kind) {
    case 'ready':
    case 'failed':
    case 'took':
      return
    case 'records':
      record(message, from, audit)
      return
    case 'answer':
      questions.answered(message)
      return
    case 'claim':
      claims.claim(from, message.claim, message)
      return
    case 'held':
      claims.held(from, message.token, message.watched)
      return
    case 'released':
      claims.released(from, message.claim)
      return
    case 'replaced':
    case 'forgotten':
      pool.tellAll(message, from)
      return
    default:
      message satisfies never
  }
}

/** Appends a worker's records to the log, and acknowledges those that calls wait for. */
function record({ first, lines }: Extract<FromWorker, { kind: 'records' }>, from: Member, audit: AuditLog): void {
  const stored: number[] = []
  for (const [i, [stage, line]] of lines.entries()) {
    const wait = audit.add(line, stage)
    if (wait === undefined) continue
    wait.then(
      () => {
        stored.push(first + i)
        if (stored.length === 1) setImmediate(() => from.tell({ kind: 'stored', records: stored.splice(0) }))
      },
      (cause: Error) => from.tell({ kind: 'refused', records: [first + i], reason: cause.message }),
    )
  }
  from.tell({ kind: 'taken', upTo: first + lines.length - 1 })
}

function nowhere(index: number): never {
  throw new RangeError(`nothing at ${index}`)
}
