import net from 'node:net'
import type { Logger } from 'pino'
import { parseAuditPolicy } from '../../audit/record/policy.ts'
import type { AuditLog } from '../../audit/sink.ts'
import { messageOf } from '../../config/text.ts'
import { formatAddress } from '../../http/address.ts'
import { listeningOf } from '../../http/listen/inherited.ts'
import { listenAll } from '../../http/listen/listen.ts'
import { type Admin, openAdmin } from '../admin.ts'
import type { Bridge } from '../bridge.ts'
import { openAccess } from '../parts.ts'
import type { Config } from '../settings/settings.ts'
import type { RecordLine } from './calls.ts'
import { Claims } from './claims.ts'
import { PoolMetrics } from './pool-metrics.ts'
import { WorkerPool } from './worker-pool.ts'

/** The interface of a bridge of several processes for `enginebridge serve`. */
type Workers = Pick<Bridge, 'addresses' | 'admin' | 'inspect' | 'reload' | 'close'>

/**
 * Starts `--workers` processes behind one set of listeners. The primary, this process, listens and distributes
 * connections in turn; it alone reads settings and policies, writes the audit log and serves --admin. Workers do
 * everything else (worker.ts).
 */
export async function startWorkers(
  config: Config,
  { log, audit }: { readonly log: Logger; readonly audit: AuditLog },
): Promise<Workers> {
  const listening = listeningOf(config.listen, process.env)
  const names = listening.map(({ address }) => formatAddress(address))
  const access = await openAccess(config, names, log)
  const auditPolicy = config['audit-policy'] && (await parseAuditPolicy(config['audit-policy']))
  const claims = new Claims(() => pool.members)
  const pool: WorkerPool = new WorkerPool({
    ...{ config, log, handed: () => ({ listening, policy: access?.policy, auditPolicy }) },
    serves: (member) => ({
      records: (lines) => store(lines, audit),
      claim: (container) => claims.claim(member, container),
      release: (token) => claims.release(token),
      replaced: (client, engine) => pool.tellAll('replaced', [client, engine], member),
      forgotten: (engine) => pool.tellAll('forgotten', [engine], member),
    }),
    ready: (member) => claims.joined(member),
    left: (member) => {
      claims.left(member)
      metrics.left(member)
    },
  })
  const metrics = new PoolMetrics({ pool, audit, log })
  const doors = listening.map((_listening, listener) =>
    net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => pool.give(listener, socket)),
  )
  let admin: Admin | undefined
  const stop = async (): Promise<void> => {
    for (const door of doors) door.close()
    await pool.stop(config.grace * 1000)
    await admin?.close()
  }
  try {
    await pool.start()
    const addresses = await listenAll(doors, listening, config)
    admin = await openAdmin(config, metrics, metrics)
    const reload = async (): Promise<void> => {
      await access?.reload()
      pool.tellAll('reload', [access?.policy])
    }
    return { addresses, admin: admin?.address, inspect: undefined, reload, close: stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Appends a worker's records to the log. */
const store = (lines: readonly RecordLine[], audit: AuditLog): Promise<(string | undefined)[]> =>
  Promise.all(lines.map(([stage, line]) => audit.add(line, stage)?.then(() => undefined, messageOf)))
