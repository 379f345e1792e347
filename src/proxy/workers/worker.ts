import { Socket } from 'node:net'
import { createLog } from '../../config/log.ts'
import { countHeldBuffers } from '../../config/process.ts'
import { type Bridge, startBridge } from '../bridge.ts'
import type { Handed } from '../core.ts'
import type { Config } from '../settings/settings.ts'
import { AuditRelay } from './audit-relay.ts'
import type { PrimaryCalls, WorkerCalls } from './calls.ts'
import { peersThrough } from './claims.ts'
import { Link } from './link.ts'

/**
 * A worker of `--workers N`: a full bridge that neither listens nor writes the audit log; the primary (primary.ts)
 * does. The primary forks it, and it ends with the primary.
 */

/** The terminal sends signals to the whole process group; workers wait for the primary's instructions. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// Without a primary there is no audit log.
process.on('disconnect', () => process.exit(1))

const primary = new Link<PrimaryCalls, WorkerCalls>(process)
const begun = Promise.withResolvers<Bridge>()
const peers = begun.promise.then(({ replacedContainers }) => replacedContainers.fromPeers)
primary.serve({
  begin,
  replaced: async (client, engine) => (await peers).replaced(client, engine),
  forgotten: async (engine) => void (await peers).forgotten(engine),
  reload: async (policy) => (await begun.promise).reload(policy),
})

/** This worker's share of the limits. */
const share = (config: Config): Config => {
  const calls = config['max-calls']
  return calls === undefined ? config : { ...config, 'max-calls': Math.floor(calls / config.workers) }
}

async function begin(worker: number, whole: Config, handed: Handed): Promise<void> {
  const config = share(whole)
  const log = createLog(config).child({ worker })
  const audit = new AuditRelay(config, (lines) => primary.call('records', [lines]))
  const bridge = await startBridge(config, { log, audit, handed, peers: peersThrough(primary) })
  const { fromPeers } = bridge.replacedContainers
  primary.serve({
    connection: (listener, connection) => take(bridge, listener, connection),
    metrics: () => bridge.metrics.getMetricsAsJSON(),
    ready: () => bridge.ready(),
    hold: (token, container) => fromPeers.busy(token, container),
    free: (token) => fromPeers.idle(token),
    stop: async () => {
      await bridge.close()
      await audit.close()
      process.exit(0)
    },
  })
  begun.resolve(bridge)
  countHeldBuffers()
}

/** Options that net.Server would set on a connection that it accepts itself (server.ts). */
function take(bridge: Bridge, listener: number, connection: unknown): void {
  if (!(connection instanceof Socket)) return
  connection.allowHalfOpen = true
  connection.setNoDelay(true)
  bridge.take(listener, connection)
}
