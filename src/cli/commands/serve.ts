import type { Logger } from 'pino'
import { openAudit } from '../../audit/sink.ts'
import { createLog } from '../../config/log.ts'
import { countHeldBuffers } from '../../config/process.ts'
import { formatAddress } from '../../http/address.ts'
import { unheardPolicy } from '../../policy/file/environment.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import { shownCalls } from '../audit/shown-calls.ts'
import type { Io, Run } from '../command.ts'
import { opening } from '../words/opening.ts'
import { notifier } from './systemd.ts'

/** `enginebridge serve`: config → log → audit → listen, until a signal comes. */
export const run: Run = async (args, io) => {
  const config = readConfig(args, io.env)
  const log = createLog(config)
  if (config.policy?.startsWith('env:')) await tellOfVariables(io.env, log)
  else if (config.policy === undefined) warnOfUnheard(io.env, log)
  const audit = await openAudit(config, log, await shownCalls(config, io))
  io.onHangup(audit.reopen)
  const stopping = io.stopping()
  const start =
    config.workers === 1
      ? startBridge
      : (await import('../../proxy/workers/primary.ts')).startWorkers.bind(undefined, args)
  const bridge = await start(config, { log, audit, inspector: makeInspector })
  io.onHangup(() => void bridge.reload())
  for (const address of bridge.addresses) log.info(`listening on ${formatAddress(address)}`)
  if (bridge.admin !== undefined) log.info(`admin on ${formatAddress(bridge.admin)}`)
  if (bridge.inspect !== undefined) log.info(`inspector: ${opening(bridge.inspect)}`)
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

/** Put in the place of another socket proxy: what its variables do here is not left to be found out. */
async function tellOfVariables(env: Io['env'], log: Logger): Promise<void> {
  const { heardFrom, inOneLine } = await import('../../policy/file/migration.ts')
  const heard = heardFrom(env)
  log[heard.otherwise.length + heard.unknown.length > 0 ? 'warn' : 'info'](inOneLine(heard))
}

function warnOfUnheard(env: Io['env'], log: Logger): void {
  const warning = unheardPolicy(env)
  if (warning !== undefined) log.warn(warning)
}
