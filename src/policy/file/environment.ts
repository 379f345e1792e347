import type { Environment } from '../../config/process.ts'
import { sectionNames } from './sections.ts'

/** Names used only by socket proxies, and the values they expect: any of them means a policy is intended. */
const TELLING =
  /^(?:CONTAINERS|ALLOW_(?:START|STOP|RESTARTS|PAUSE|UNPAUSE|EXEC|KILL|ATTACH|ARCHIVE|EXPORT|LOGS)|SP_ALLOW_[A-Z]+(?:_\d+)?|SP_ALLOW(?:FROM|BINDMOUNTFROM)|SP_(?:LISTENIP|PROXYPORT|SOCKETPATH|PROXYSOCKETENDPOINT|PROXYCONTAINERNAME))$/

/**
 * Sections whose names other programs may use too: only a 0 or 1 counts (`NETWORKS=1 SERVICES=1`, without containers).
 */
const SECTION = /^(?:CONFIGS|DISTRIBUTION|IMAGES|NETWORKS|NODES|PLUGINS|SECRETS|SERVICES|SWARM|TASKS|VOLUMES)$/

/**
 * Names that any program may use. On its own, one that opens something is ignored with a warning; one that closes
 * something counts.
 */
const METHOD = /^(?:POST|PUT|DELETE)$/
const CLOSED = /^(?:0|false|no|off)$/i

/** All supported names but those of sections; src/policy/file/sections.ts checks these. */
const UNDERSTOOD = /^(?:ALLOW_[A-Z]+|SP_ALLOW(?:_[A-Z]+(?:_\d+)?|BINDMOUNTFROM|FROM))$/

export const isUnderstood = (name: string): boolean => sectionNames.includes(name) || UNDERSTOOD.test(name)

/** The policy in another socket proxy's variables, as a setting: `env:{"CONTAINERS":"1"}`. */
export function environmentPolicy(env: Environment): string {
  const said = Object.entries(env).filter(([name, value]) => isUnderstood(name) && value !== undefined && value !== '')
  return `env:${JSON.stringify(Object.fromEntries(said))}`
}

/** Whether this program replaces another socket proxy, whose variables must not be ignored. */
export const hasEnvironmentPolicy = (env: Environment): boolean =>
  Object.entries(env).some(
    ([name, value]) =>
      (TELLING.test(name) && value !== undefined && value !== '') ||
      (SECTION.test(name) && (value === '0' || value === '1')) ||
      (METHOD.test(name) && CLOSED.test(value ?? '')),
  )

/** A warning about variables that may have been meant as a policy but do not count: `POST=1` alone. */
export function unheardPolicy(env: Environment): string | undefined {
  const names = Object.keys(env).filter((name) => METHOD.test(name) && (env[name] ?? '') !== '')
  if (names.length === 0 || hasEnvironmentPolicy(env)) return undefined
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${names.sort().join(', ')} ${are} set, as for another socket proxy, and without effect: every call is let through. --policy env heeds ${them}; --policy off says that no policy is meant`
}
