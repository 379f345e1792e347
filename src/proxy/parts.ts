import type { Logger } from 'pino'
import { BadConfig } from '../config/bad-config.ts'
import { type EngineAddress, formatAddress } from '../http/address.ts'
import { Connector } from '../http/engine/connector.ts'
import { EnginePool } from '../http/engine/pool.ts'
import type { SshForward } from '../http/engine/ssh.ts'
import { listeningOf } from '../http/listen/inherited.ts'
import { engineTls, listenerTls } from '../http/tls/tls-settings.ts'
import { type Dependencies, type Handed, makeCore } from './core.ts'
import { doorOf } from './doors.ts'
import { unknownListeners } from './settings/contradictions.ts'
import { ownListener } from './settings/own-listener.ts'
import type { Config } from './settings/settings.ts'

/** Opens what the settings name. Rejects with a readable error if it cannot be used, and then keeps nothing open. */
export async function makeParts(config: Config, dependencies: Dependencies, draining: () => boolean) {
  const { log, handed } = dependencies
  const opened: { close(): void }[] = []
  const keep = <T extends { close(): void } | undefined>(part: T): T => {
    if (part !== undefined) opened.push(part)
    return part
  }
  const close = (): void => {
    for (const part of opened.splice(0).reverse()) part.close()
  }
  try {
    const secrets = { listeners: keep(await listenerTls(config, log)), engine: keep(await engineTls(config, log)) }
    const listening = handed?.listening ?? listeningOf(config.listen, process.env)
    const names = listening.map(({ address }) => formatAddress(address))
    const problems = [...unknownListeners(config, names), ...ownListener(config.engine, listening)]
    if (problems.length > 0) throw new BadConfig(problems)
    const access = await openAccess(config, names, log, handed)
    const forward = keep(await forwardTo(config.engine, config['connect-timeout'], log))
    const connector = new Connector(config.engine, secrets.engine, config['connect-timeout'], forward)
    const engine = keep(new EnginePool(connector, config))
    const core = await makeCore(config, dependencies, engine, listening, draining)
    keep(core.autoRemoval)
    const listeners = listening.map(({ address }) => doorOf(core, config, address, secrets, access))
    return { core, listening, listeners, secrets, access, close }
  } catch (cause) {
    close()
    throw cause
  }
}

/** Starts the ssh forwarder if the engine is reached over ssh. */
async function forwardTo(address: EngineAddress, connectMs: number, log: Logger): Promise<SshForward | undefined> {
  if (address.kind !== 'ssh') return undefined
  const { SshForward: Forward } = await import('../http/engine/ssh.ts')
  return new Forward(address, connectMs, (words) => log.warn(`ssh: ${words}`))
}

/** Loads the configured access policy; undefined without one, which allows everything. */
export async function openAccess(config: Config, listeners: readonly string[], log: Logger, handed?: Handed) {
  const { policy: source, 'policy-mode': mode } = config
  if (source === undefined || source === 'off') return undefined
  const { Access } = await import('../policy/access.ts')
  const settings = { source, mode, listeners, log }
  if (handed !== undefined) return new Access(settings, handed.policy ?? {})
  const access = await Access.open(settings)
  log.info(`policy: ${source}${mode === 'observe' ? ' (observe: nothing is refused)' : ''}`)
  return access
}
