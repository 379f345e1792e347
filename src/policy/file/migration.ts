import { isUnderstood } from './environment.ts'

/** Variables of other socket proxies that have a different setting here (docs/migration.md). */
const OTHERWISE: Readonly<Record<string, string>> = {
  SOCKET_PATH: '--engine unix:///PATH',
  LOG_LEVEL: '--log-level',
  SP_LISTENIP: '--listen tcp://IP:PORT',
  SP_PROXYPORT: '--listen tcp://IP:PORT',
  SP_PROXYSOCKETENDPOINT: '--listen unix:///PATH',
  SP_PROXYSOCKETENDPOINTFILEMODE: '--socket-mode',
  SP_SOCKETPATH: '--engine unix:///PATH',
  SP_LOGLEVEL: '--log-level',
  SP_LOGJSON: '--log-format',
  SP_SHUTDOWNGRACETIME: '--grace',
  SP_ALLOWHEALTHCHECK: 'enginebridge health',
  SP_WATCHDOGINTERVAL: 'not needed, /readyz of --admin',
  SP_STOPONWATCHDOG: 'not needed, /readyz of --admin',
  SP_PROXYCONTAINERNAME: 'listeners of a policy file',
  SP_DOCKERLABELPREFIX: 'listeners of a policy file',
}

export interface Heard {
  readonly understood: readonly string[]
  /** Names with their settings here. */
  readonly otherwise: readonly string[]
  /** Unknown `SP_…` variables, probably misspelled. */
  readonly unknown: readonly string[]
}

/** Reports how each variable of another socket proxy is treated. Names only, because values may be confidential. */
export function heardFrom(env: Readonly<Record<string, string | undefined>>): Heard {
  const names = Object.keys(env)
    .filter((name) => (env[name] ?? '') !== '')
    .sort()
  const understood = names.filter(isUnderstood)
  const rest = names.filter((name) => !understood.includes(name))
  return {
    understood,
    otherwise: rest.flatMap((name) => (Object.hasOwn(OTHERWISE, name) ? [`${name} (${OTHERWISE[name]})`] : [])),
    unknown: rest.filter((name) => name.startsWith('SP_') && !Object.hasOwn(OTHERWISE, name)),
  }
}

export function inOneLine({ understood, otherwise, unknown }: Heard): string {
  const parts = [
    understood.length === 0 ? [] : [`understood: ${understood.join(', ')}`],
    otherwise.length === 0 ? [] : [`without effect, said otherwise here: ${otherwise.join(', ')}`],
    unknown.length === 0 ? [] : [`not known: ${unknown.join(', ')}`],
  ]
  return `variables of another socket proxy; ${parts.flat().join('; ')}`
}
