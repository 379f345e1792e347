import type { Environment } from '../../config/environment.ts'

/** Names that only a socket proxy uses, and what their values are there: with one of them set, they are meant. */
const TELLING =
  /^(?:CONTAINERS|ALLOW_(?:START|STOP|RESTARTS|PAUSE|UNPAUSE|EXEC|KILL|ATTACH|ARCHIVE|EXPORT|LOGS)|SP_ALLOW_[A-Z]+(?:_\d+)?|SP_ALLOW(?:FROM|BINDMOUNTFROM)|SP_(?:LISTENIP|PROXYPORT|SOCKETPATH|PROXYSOCKETENDPOINT|PROXYCONTAINERNAME))$/

/** Sections whose names other programs may use as well: a 0 or a 1 says that they are meant (`NETWORKS=1 SERVICES=1`, without containers). */
const SECTION = /^(?:CONFIGS|DISTRIBUTION|IMAGES|NETWORKS|NODES|PLUGINS|SECRETS|SERVICES|SWARM|TASKS|VOLUMES)$/

/** Names that any program may use. That one of them opens something says nothing; that it closes, is not left unheard. */
const METHOD = /^(?:POST|PUT|DELETE)$/
const CLOSED = /^(?:0|false|no|off)$/i

/** All names that are understood; those of src/policy/file/sections.ts are checked there. */
const UNDERSTOOD =
  /^(?:PING|AUTH|BUILD|COMMIT|CONFIGS|CONTAINERS|DISTRIBUTION|EVENTS|EXEC|GRPC|IMAGES|INFO|NETWORKS|NODES|PLUGINS|SECRETS|SERVICES|SESSION|SWARM|SYSTEM|TASKS|VERSION|VOLUMES|POST|PUT|DELETE|ALLOW_[A-Z]+|SP_ALLOW(?:_[A-Z]+(?:_\d+)?|BINDMOUNTFROM|FROM))$/

export const isUnderstood = (name: string): boolean => UNDERSTOOD.test(name)

/** The policy that the variables of another socket proxy say, as a setting's text: `env:{"CONTAINERS":"1"}`. */
export function environmentPolicy(env: Environment): string {
  const said = Object.entries(env).filter(([name, value]) => isUnderstood(name) && value !== undefined && value !== '')
  return `env:${JSON.stringify(Object.fromEntries(said))}`
}

/** Whether somebody has put this program in the place of another socket proxy: then its variables must not be ignored. */
export const hasEnvironmentPolicy = (env: Environment): boolean =>
  Object.entries(env).some(
    ([name, value]) =>
      (TELLING.test(name) && value !== undefined && value !== '') ||
      (SECTION.test(name) && (value === '0' || value === '1')) ||
      (METHOD.test(name) && CLOSED.test(value ?? '')),
  )

/** A warning where variables may have been meant as a policy and are none: `POST=1` alone; undefined where there are none. */
export function unheardPolicy(env: Environment): string | undefined {
  const names = Object.keys(env).filter((name) => METHOD.test(name) && (env[name] ?? '') !== '')
  if (names.length === 0 || hasEnvironmentPolicy(env)) return undefined
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${names.sort().join(', ')} ${are} set, as for another socket proxy, and without effect: every call is let through. --policy env heeds ${them}; --policy off says that no policy is meant`
}
