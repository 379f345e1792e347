import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/process.ts'
import { exposure, protectionOf } from '../../http/listen/exposure.ts'
import type { Config, SettingName } from './settings.ts'

const DOCKER_FILES: Partial<Record<SettingName, string>> = {
  'engine-tls-ca': 'ca.pem',
  'engine-tls-cert': 'cert.pem',
  'engine-tls-key': 'key.pem',
}

/**
 * TLS towards the engine as in the docker command and its SDKs: `DOCKER_TLS_VERIFY` enables verified TLS,
 * `DOCKER_CERT_PATH` alone unverified TLS; the files are in `DOCKER_CERT_PATH`, else in ~/.docker.
 * Source: client/client_options.go:WithTLSClientConfigFromEnv, cli/flags/options.go.
 */
export function dockerTls(
  name: SettingName,
  env: Environment,
): { readonly value: string[]; readonly source: string } | undefined {
  const verify = (env['DOCKER_TLS_VERIFY'] ?? '') !== ''
  const folder = env['DOCKER_CERT_PATH'] ?? ''
  if (!verify && folder === '') return undefined
  if (name === 'engine-tls-verify') return { value: [String(verify)], source: 'DOCKER_TLS_VERIFY' }
  const file = DOCKER_FILES[name]
  if (file === undefined) return undefined
  const path = join(folder === '' ? join(homedir(), '.docker') : folder, file)
  return existsSync(path) ? { value: [path], source: 'DOCKER_CERT_PATH' } : undefined
}

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
