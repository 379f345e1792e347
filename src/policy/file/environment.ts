import type { Environment } from '../../config/process.ts'
import { sectionNames } from './sections.ts'

/** Names used only by socket proxies, and the values they expect. One of them is enough to show that a policy is intended. */
const TELLING =
  /^(?:CONTAINERS|ALLOW_(?:START|STOP|RESTARTS|PAUSE|UNPAUSE|EXEC|KILL|ATTACH|ARCHIVE|EXPORT|LOGS)|SP_ALLOW_[A-Z]+(?:_\d+)?|SP_ALLOW(?:FROM|BINDMOUNTFROM)|SP_(?:LISTENIP|PROXYPORT|SOCKETPATH|PROXYSOCKETENDPOINT|PROXYCONTAINERNAME))$/

/** Sections whose names other programs use too: only a 0 or 1 counts (`NETWORKS=1 SERVICES=1`, without containers). */
const SECTION = /^(?:CONFIGS|DISTRIBUTION|IMAGES|NETWORKS|NODES|PLUGINS|SECRETS|SERVICES|SWARM|TASKS|VOLUMES)$/

/**
 * Names that any program may use. On its own, one that opens something is ignored with a warning; one that closes
 * something counts.
 */
const METHOD = /^(?:POST|PUT|DELETE)$/
const CLOSED = /^(?:0|false|no|off)$/i

/** All supported names but those of sections; src/policy/file/sections.ts checks these. */
const UNDERSTOOD = /^(?:ALLOW_[A-Z]+|SP_ALLOW(?:_[A-Z]+(?:_\d+)?|BINDMOUNTFROM|FROM))$/

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

const isUnderstood = (name: string): boolean => sectionNames.includes(name) || UNDERSTOOD.test(name)

/** Variables that are not empty. */
const variablesOf = (env: Environment): [name: string, value: string][] =>
  Object.entries(env).flatMap(([name, value = '']) => (value === '' ? [] : [[name, value]]))

/** The policy in another socket proxy's variables, as a setting: `env:{"CONTAINERS":"1"}`. */
export const environmentPolicy = (env: Environment): string =>
  `env:${JSON.stringify(Object.fromEntries(variablesOf(env).filter(([name]) => isUnderstood(name))))}`

/** Whether this program replaces another socket proxy, whose variables must not be ignored. */
export const hasEnvironmentPolicy = (env: Environment): boolean =>
  variablesOf(env).some(
    ([name, value]) =>
      TELLING.test(name) || (SECTION.test(name) && /^[01]$/.test(value)) || (METHOD.test(name) && CLOSED.test(value)),
  )

/** A warning about variables that may have been meant as a policy but do not count: `POST=1` alone. */
export function unheardPolicy(env: Environment): string | undefined {
  const names = variablesOf(env).flatMap(([name]) => (METHOD.test(name) ? [name] : []))
  if (names.length === 0 || hasEnvironmentPolicy(env)) return undefined
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${names.sort().join(', ')} ${are} set, as for another socket proxy, but without effect: every call is allowed. --policy env applies ${them}; --policy off ends this warning`
}

/** How each variable of another socket proxy is treated. Names only, because values may be confidential. */
export function heardFrom(env: Environment): { readonly sentence: string; readonly allUnderstood: boolean } {
  const names = variablesOf(env)
    .map(([name]) => name)
    .sort()
  const rest = names.filter((name) => !isUnderstood(name))
  const otherwise = rest.filter((name) => Object.hasOwn(OTHERWISE, name))
  const lists: [string, string[]][] = [
    ['understood', names.filter(isUnderstood)],
    ['without effect, another setting here', otherwise.map((name) => `${name} (${OTHERWISE[name]})`)],
    ['not known', rest.filter((name) => name.startsWith('SP_') && !otherwise.includes(name))], // probably misspelled
  ]
  const said = lists.filter(([, list]) => list.length > 0).map(([how, list]) => `${how}: ${list.join(', ')}`)
  return {
    sentence: `variables of another socket proxy; ${said.join('; ')}`,
    allUnderstood: lists.slice(1).every(([, list]) => list.length === 0),
  }
}
