import net from 'node:net'
import type { Logger } from 'pino'
import type { AuditLog } from '../../audit/sink.ts'
import type { Address } from '../../http/address.ts'
import { listeningOf } from '../../http/listen/inherited.ts'
import { listenAll } from '../../http/listen/listen.ts'
import { adminServer, openAdmin } from '../admin.ts'
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
    busy: (member, token, { id, name }) => questions.ask(member, { token, id, name }, 0).then(Boolean, () => false),
    idle: (member, token) => member.tell({ kind: 'idle', token }),
    claimed: (member, claim, watched) => member.tell({ kind: 'claimed', claim, watched }),
  })
  const pool = new WorkerPool({
    ...{ size: config.workers, args, log },
    begin: (worker) => ({ kind: 'begin', worker, listening }),
    told: {
      ready: (member) => claims.joined(member),
      heard: (member, message) => hear(message, member),
      left: (member) => {
        for (const part of [claims, questions, metrics]) part.left(member)
      },
    },
  })
  const hear = hearing({ audit, claims, questions, pool })
  const metrics = new PoolMetrics({ pool, questions, audit, log })
  const doors = listening.map((_listening, listener) =>
    net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => pool.give(listener, socket)),
  )
  const admin = adminServer(config, metrics, metrics)
  const stop = async (): Promise<void> => {
    for (const door of doors) door.close()
    await pool.stop(config.grace * 1000)
    admin?.close()
    admin?.closeAllConnections()
  }
  try {
    await pool.start()
    const addresses = await listenAll(doors, listening, config)
    const adminAddress = await openAdmin(admin, config)
    return { addresses, admin: adminAddress, reload: async () => pool.tellAll({ kind: 'reload' }), close: stop }
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

type Heard = {
  [Kind in Exclude<FromWorker['kind'], 'ready' | 'failed' | 'took'>]: (
    message: Extract<FromWorker, { kind: Kind }>,
    from: Member,
  ) => void
}

/** What is done about a worker's messages; the others are the pool's own. */
function hearing({ audit, claims, questions, pool }: Parts): (message: FromWorker, from: Member) => void {
  const heard: Heard = {
    records: (message, from) => record(message, from, audit),
    answer: (message) => questions.answered(message),
    claim: (message, from) => claims.claim(from, message.claim, message),
    released: ({ claim }, from) => claims.released(from, claim),
    replaced: (message, from) => pool.tellAll(message, from),
    forgotten: (message, from) => pool.tellAll(message, from),
  }
  return (message, from) => {
    if (message.kind in heard) heard[message.kind as keyof Heard](message as never, from)
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
