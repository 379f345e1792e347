import { exposure, protectionOf } from '../../http/listen/exposure.ts'
import type { Config, SettingName } from './settings.ts'

const ENGINE_TLS = ['engine-tls-ca', 'engine-tls-cert', 'engine-tls-key', 'engine-tls-verify'] as const

export const WHAT_TO_DO = 'Use --tls-cert, --tls-key and --tls-ca, or say --insecure'

const INSPECTED = 'the calls of all clients and the token that opens them would cross the network as plain text'

/** Problems with the transport settings. `said`: settings that were given explicitly. */
export function transportProblems(config: Config, said: ReadonlySet<SettingName>): string[] {
  const problems: string[] = []
  const pair = (cert: 'tls-cert' | 'engine-tls-cert', key: 'tls-key' | 'engine-tls-key'): void => {
    if ((config[cert] === undefined) !== (config[key] === undefined))
      problems.push(`--${cert} and --${key} are given together or not at all`)
  }
  pair('tls-cert', 'tls-key')
  pair('engine-tls-cert', 'engine-tls-key')
  if (config['tls-ca'] !== undefined && config['tls-cert'] === undefined)
    problems.push('--tls-ca needs --tls-cert and --tls-key')
  if (config['tls-verify'] === true && config['tls-ca'] === undefined)
    problems.push('--tls-verify needs --tls-ca: who signs the certificates of clients')
  if (config['tls-cert'] !== undefined && !config.listen.some(({ kind }) => kind !== 'unix'))
    problems.push('--tls-cert is for TCP listeners, and there is none')
  for (const name of ENGINE_TLS)
    if (said.has(name) && config.engine.kind === 'unix') problems.push(`--${name}: the engine is on a unix socket`)
  if (config.insecure === true) return problems
  if (config.inspect !== undefined && exposure(config.inspect, 'none') !== undefined)
    problems.push(`--inspect beyond loopback: ${INSPECTED}. Use loopback or a unix socket, or say --insecure`)
  for (const address of config.listen) {
    if (address.kind === 'inherited') continue // checked when the socket is opened
    const reason = exposure(address, protectionOf(config))
    if (reason !== undefined) problems.push(`${reason}. ${WHAT_TO_DO}`)
  }
  return problems
}
