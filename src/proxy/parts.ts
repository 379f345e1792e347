import type { Logger } from 'pino'
import { type EngineAddress, formatAddress } from '../http/address.ts'
import { Connector } from '../http/engine/connector.ts'
import { EnginePool } from '../http/engine/pool.ts'
import type { SshForward } from '../http/engine/ssh.ts'
import { type Listening, listeningOf } from '../http/listen/inherited.ts'
import { openTls } from '../http/listen/secrets.ts'
import type { Access } from '../policy/access.ts'
import { type Dependencies, makeCore } from './core.ts'
import type { Config } from './settings/settings.ts'

/** Opens what the settings name. Rejects with a readable error if it cannot be used. */
export async function makeParts(config: Config, dependencies: Dependencies, draining: () => boolean) {
  const { log, handed } = dependencies
  const secrets = await openTls(config, log)
  const listening = handed ?? listeningOf(config.listen, process.env)
  const access = await openAccess(config, listening, log)
  const forward = await forwardTo(config.engine, config['connect-timeout'], log)
  const engine = new EnginePool(
    new Connector(config.engine, secrets.engine, config['connect-timeout'], forward),
    config,
  )
  const core = await makeCore(config, dependencies, engine, listening, draining)
  const close = (): void => {
    secrets.listeners?.close()
    secrets.engine?.close()
    core.autoRemoval.close()
    engine.close()
    forward?.close()
  }
  return { core, listening, secrets, access, close }
}

/** Starts the ssh forwarder if the engine is reached over ssh. */
async function forwardTo(address: EngineAddress, connectMs: number, log: Logger): Promise<SshForward | undefined> {
  if (address.kind !== 'ssh') return undefined
  const { SshForward: Forward } = await import('../http/engine/ssh.ts')
  return new Forward(address, connectMs, (words) => log.warn(`ssh: ${words}`))
}

/** Loads the configured access policy; undefined without one, which allows everything. */
async function openAccess(config: Config, listening: readonly Listening[], log: Logger): Promise<Access | undefined> {
  const { policy } = config
  if (policy === undefined || policy === 'off') return undefined
  const { Access: Policy } = await import('../policy/access.ts')
  const mode = config['policy-mode']
  const names = listening.map(({ address }) => formatAddress(address))
  const access = await Policy.open({ source: policy, mode, listeners: names, log })
  log.info(`policy: ${policy}${mode === 'observe' ? ' (observe: nothing is refused)' : ''}`)
  return access
}
