import type { Logger } from 'pino'
import { type EngineAddress, formatAddress } from '../http/address.ts'
import { Connector } from '../http/engine/connector.ts'
import { EnginePool } from '../http/engine/pool.ts'
import type { SshForward } from '../http/engine/ssh.ts'
import { type Listening, listeningOf } from '../http/listen/inherited.ts'
import { openTls } from '../http/listen/secrets.ts'
import type { Access } from '../policy/access.ts'
import { type Dependencies, makeCore } from './core.ts'
import { doorOf } from './doors.ts'
import type { Config } from './settings/settings.ts'

interface Closable {
  close(): void
}

/** Opens what the settings name. Rejects with a readable error if it cannot be used, and then keeps nothing open. */
export async function makeParts(config: Config, dependencies: Dependencies, draining: () => boolean) {
  const opened: Closable[] = []
  const close = (): void => {
    for (const part of opened.splice(0).reverse()) part.close()
  }
  try {
    return { ...(await openParts(config, dependencies, draining, opened)), close }
  } catch (cause) {
    close()
    throw cause
  }
}

async function openParts(config: Config, dependencies: Dependencies, draining: () => boolean, opened: Closable[]) {
  const { log, handed } = dependencies
  const secrets = await openTls(config, log, opened)
  const listening = handed ?? listeningOf(config.listen, process.env)
  const access = await openAccess(config, listening, log)
  const forward = await forwardTo(config.engine, config['connect-timeout'], log)
  if (forward !== undefined) opened.push(forward)
  const engine = new EnginePool(
    new Connector(config.engine, secrets.engine, config['connect-timeout'], forward),
    config,
  )
  opened.push(engine)
  const core = await makeCore(config, dependencies, engine, listening, draining)
  opened.push(core.autoRemoval)
  const listeners = listening.map(({ address }) => doorOf(core, config, address, secrets, access))
  return { core, listening, listeners, secrets, access }
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
