import type { Logger } from 'pino'
import { openAudit } from '../../audit/sink.ts'
import type { Observer } from '../../audit/watched.ts'
import { defined } from '../../config/defined.ts'
import { createLog } from '../../config/log.ts'
import { countHeldBuffers } from '../../config/process.ts'
import { formatAddress } from '../../http/address.ts'
import { heardFrom, unheardPolicy } from '../../policy/file/environment.ts'
import { type Bridge, startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import type { Config } from '../../proxy/settings/settings.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import { shownCalls } from '../audit/shown-calls.ts'
import type { Io, Run } from '../command.ts'
import { notifier } from './systemd.ts'

/** `enginebridge serve`. */
export const run: Run = ({ settings }, io) =>
  serve(settings, io, ({ addresses, admin, inspect }, log) => {
    for (const address of addresses) log.info(`listening on ${formatAddress(address)}`)
    if (admin !== undefined) log.info(`admin on ${formatAddress(admin)}`)
    if (inspect !== undefined) log.info(`inspector: ${inspect.url}`)
  })

export type Opening = Pick<Bridge, 'addresses' | 'admin'> & Partial<Pick<Bridge, 'inspect'>>

/** Config → log → audit → listen, until a signal comes. `opened` says where it listens. Observers want one process. */
export async function serve(
  args: readonly string[],
  io: Io,
  opened: (bridge: Opening, log: Logger, config: Config) => void,
  observers?: readonly Observer[],
): Promise<number> {
  const config = readConfig(args, io.env)
  const log = createLog(config)
  if (config.policy?.startsWith('env:')) tellOfVariables(io.env, log)
  const unheard = config.policy === undefined ? unheardPolicy(io.env) : undefined
  if (unheard !== undefined) log.warn(unheard)
  const audit = await openAudit(config, log, await shownCalls(config, io))
  io.onHangup(audit.reopen)
  const stopping = io.stopping()
  const start =
    config.workers === 1 || observers !== undefined
      ? startBridge
      : (await import('../../proxy/workers/primary.ts')).startWorkers
  const starting = start(config, { log, audit, inspector: makeInspector, ...defined({ observers }) })
  // Before the start is complete: the policy may change after it was read. A failed start is reported below.
  io.onHangup(() => void starting.then((begun) => begun.reload()).catch(() => undefined))
  const bridge = await starting
  opened(bridge, log, config)
  const systemd = notifier(io.env, log)
  await systemd.ready()
  countHeldBuffers()
  log.info(`${await stopping}: letting open calls finish for up to ${config.grace} s`)
  await systemd.stopping()
  await bridge.close()
  systemd.close()
  await audit.close()
  log.info('stopped')
  return 0
}

/** Logs which variables of another socket proxy are in force. */
function tellOfVariables(env: Io['env'], log: Logger): void {
  const { sentence, allUnderstood } = heardFrom(env)
  log[allUnderstood ? 'info' : 'warn'](sentence)
}
