import { Socket } from 'node:net'
import { problemsOf } from '../../config/bad-config.ts'
import { createLog } from '../../config/log.ts'
import { countHeldBuffers } from '../../config/process.ts'
import { messageOf } from '../../config/text.ts'
import { type Bridge, startBridge } from '../bridge.ts'
import { readConfig } from '../settings/config.ts'
import type { Config } from '../settings/settings.ts'
import { AuditRelay } from './audit-relay.ts'
import { type FromWorker, isMessage, type Subject, type ToWorker } from './messages.ts'
import { WorkerPeers } from './peers.ts'

/**
 * A worker of `--workers N`: a full bridge that neither listens nor writes the audit log; the primary (primary.ts)
 * does. The primary forks it, and it ends with the primary.
 */
const args = process.argv.slice(2)

const send = (message: FromWorker): void => {
  // The channel breaks if the primary has ended; `disconnect` handles that.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

/** The terminal sends signals to the whole process group; workers wait for the primary's instructions. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// Without a primary there is no audit log.
process.on('disconnect', () => process.exit(1))

/** This worker's share of the limits. */
const share = (config: Config): Config => {
  const calls = config['max-calls']
  return calls === undefined ? config : { ...config, 'max-calls': Math.floor(calls / config.workers) }
}

process.on('message', (message: unknown) => {
  if (!isMessage<ToWorker>(message) || message.kind !== 'begin') return
  begin(message).catch((cause: unknown) => {
    process.send?.({ kind: 'failed', problems: problemsOf(cause) } satisfies FromWorker, undefined, {}, () =>
      process.exit(1),
    )
  })
})

async function begin({ worker, listening }: Extract<ToWorker, { kind: 'begin' }>): Promise<void> {
  const config = share(readConfig(args, process.env))
  const log = createLog(config).child({ worker })
  const audit = new AuditRelay(config, send)
  const workerPeers = new WorkerPeers(send)
  const bridge = await startBridge(config, { log, audit, handed: listening, peers: workerPeers })
  const hears = heard({ bridge, audit, workerPeers })
  process.on('message', (message: unknown, handle: unknown) => {
    if (isMessage<ToWorker>(message) && message.kind !== 'begin') hears[message.kind](message as never, handle)
  })
  send({ kind: 'ready' })
  countHeldBuffers()
}

interface Parts {
  readonly bridge: Bridge
  readonly audit: AuditRelay
  readonly workerPeers: WorkerPeers
}

type Heard = {
  [Kind in Exclude<ToWorker['kind'], 'begin'>]: (message: Extract<ToWorker, { kind: Kind }>, handle: unknown) => void
}

/** What is done about the primary's messages after `begin`. */
function heard({ bridge, audit, workerPeers }: Parts): Heard {
  const { told } = bridge.replacedContainers
  return {
    connection: ({ number, listener }, handle) => {
      send({ kind: 'took', number })
      if (handle instanceof Socket) take(bridge, listener, handle)
    },
    taken: ({ upTo }) => audit.taken(upTo),
    stored: ({ records }) => audit.stored(records),
    refused: ({ records, reason }) => audit.refused(records, reason),
    ask: (message) => void answer(bridge, message),
    idle: ({ token }) => told.idle(token),
    claimed: ({ claim, watched }) => workerPeers.claimed(claim, watched),
    replaced: ({ client, engine }) => told.replaced(client, engine),
    forgotten: ({ engine }) => told.forgotten(engine),
    reload: () => void bridge.reload(),
    stop: () => void stop(bridge, audit),
  }
}

/** Options that net.Server would set on a connection that it accepts itself (server.ts). */
function take(bridge: Bridge, listener: number, connection: Socket): void {
  connection.allowHalfOpen = true
  connection.setNoDelay(true)
  bridge.take(listener, connection)
}

async function answer(bridge: Bridge, { question, about }: Extract<ToWorker, { kind: 'ask' }>): Promise<void> {
  try {
    send({ kind: 'answer', question, answer: await answerTo(about, bridge) })
  } catch (cause) {
    send({ kind: 'answer', question, problem: messageOf(cause) })
  }
}

function answerTo(about: Subject, { metrics, ready, replacedContainers }: Bridge): unknown {
  if (about === 'metrics') return metrics.getMetricsAsJSON()
  return about === 'ready' ? ready() : replacedContainers.told.busy(about.token, about)
}

async function stop(bridge: Bridge, audit: AuditRelay): Promise<void> {
  await bridge.close()
  await audit.close()
  process.exit(0)
}
