import { formatVersion, isOlder, LOWEST } from '../../api/version.ts'
import { formatAddress } from '../../http/address.ts'
import { exposure, protectionOf } from '../../http/listen/exposure.ts'
import type { Config, SettingName } from './settings.ts'

/** Settings that contradict each other. `explicit`: those that were given. */
export function contradictions(config: Config, explicit: ReadonlySet<SettingName>): string[] {
  const problems = [badAnnouncement, badUnversioned, badAudit, badWorkers].flatMap((look) => look(config))
  return [...problems, ...badTransport(config, explicit)]
}

const RANGE = `there are rules from ${formatVersion(LOWEST)} on`

function badAnnouncement({ 'announce-api': announce }: Config): string[] {
  if (announce === undefined || !isOlder(announce, LOWEST)) return []
  return [`--announce-api ${formatVersion(announce)}: ${RANGE}`]
}

/** `listeners`: their names, which the parent process decides for `fd://`. */
export const unknownListeners = (config: Pick<Config, 'unversioned-api'>, listeners: readonly string[]): string[] =>
  config['unversioned-api']
    .flatMap(({ listener }) => (listener === undefined ? [] : [formatAddress(listener)]))
    .filter((name) => !listeners.includes(name))
    .map((name) => `--unversioned-api: no --listen is ${name}; there are ${listeners.join(', ')}`)

function badUnversioned(config: Config): string[] {
  const { 'unversioned-api': unversioned, listen } = config
  const listeners = listen.flatMap((one) => (one.kind === 'inherited' ? [] : [formatAddress(one)]))
  const named = unversioned.map(({ listener }) => (listener === undefined ? '' : formatAddress(listener)))
  const range = unversioned
    .filter(({ version }) => isOlder(version, LOWEST))
    .map(({ version }) => `--unversioned-api ${formatVersion(version)}: ${RANGE}`)
  const unknown = listeners.length === listen.length ? unknownListeners(config, listeners) : []
  const twice = named
    .filter((name, i) => named.indexOf(name) < i)
    .map((name) => `--unversioned-api: two versions ${name === '' ? 'for every listener' : `for ${name}`}`)
  return [...range, ...unknown, ...twice]
}

/** Guarantees that separate worker processes cannot give, because each sees only its own calls. */
function badWorkers({ workers, rate, inspect, 'audit-sessions': sessions, 'max-calls': calls }: Config): string[] {
  if (workers === 1) return []
  const problems: string[] = []
  if (rate !== undefined) problems.push('--rate: it needs --workers 1, a peer may reach several workers')
  if (inspect !== undefined) problems.push('--inspect: it needs --workers 1, a page shows the calls of one process')
  if (sessions !== undefined)
    problems.push('--audit-sessions: it needs --workers 1, the size of a terminal may be told to another worker')
  if (calls !== undefined && calls < workers) problems.push(`--max-calls ${calls} is less than --workers ${workers}`)
  return problems
}

/** Rejects combinations where the audit would silently do less than configured. */
function badAudit(config: Config): string[] {
  const logs = config['audit-log']
  const problems: string[] = []
  if (logs.includes('off') && logs.length > 1) problems.push('--audit-log: off cannot be combined with another log')
  if (new Set(logs).size < logs.length) problems.push('--audit-log: the same log is given twice')
  if (logs.includes('off') && config['audit-mode'] === 'blocking')
    problems.push('--audit-mode blocking: requires --audit-log')
  if (config['audit-chain-key'] !== undefined && config['audit-chain'] === 'off')
    problems.push('--audit-chain-key: it needs --audit-chain on')
  const rotates = config['audit-rotate-size'] !== undefined || config['audit-rotate-age'] !== undefined
  if (config['audit-keep'] !== undefined && !rotates)
    problems.push('--audit-keep: it needs --audit-rotate-size or --audit-rotate-age')
  return problems
}

const ENGINE_TLS = ['engine-tls-ca', 'engine-tls-cert', 'engine-tls-key', 'engine-tls-verify'] as const

export const WHAT_TO_DO = 'Use --tls-cert, --tls-key and --tls-ca, or say --insecure'

const INSPECTED = 'the calls of all clients and the token that opens them would cross the network as plain text'

function badTransport(config: Config, explicit: ReadonlySet<SettingName>): string[] {
  const problems: string[] = []
  const pair = (cert: 'tls-cert' | 'engine-tls-cert', key: 'tls-key' | 'engine-tls-key'): void => {
    if ((config[cert] === undefined) !== (config[key] === undefined))
      problems.push(`--${cert} and --${key} must be given together`)
  }
  pair('tls-cert', 'tls-key')
  pair('engine-tls-cert', 'engine-tls-key')
  if (config['tls-ca'] !== undefined && config['tls-cert'] === undefined)
    problems.push('--tls-ca needs --tls-cert and --tls-key')
  if (config['tls-verify'] === true && config['tls-ca'] === undefined)
    problems.push('--tls-verify needs --tls-ca: the authority that signs client certificates')
  if (config['tls-cert'] !== undefined && !config.listen.some(({ kind }) => kind !== 'unix'))
    problems.push('--tls-cert is for TCP listeners, but no --listen is one')
  for (const name of ENGINE_TLS)
    if (explicit.has(name) && config.engine.kind !== 'tcp') problems.push(`--${name} is for an engine on TCP`)
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
