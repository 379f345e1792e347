import { type Operation, type OperationName, operationNamed, operationNames } from '../../api/operations.ts'
import { didYouMean } from '../../config/nearest.ts'

/**
 * Switches of common socket proxies: Tecnativa/docker-socket-proxy, linuxserver/socket-proxy. A section is the first
 * segment of a path; it allows GET and HEAD, and more with POST=1.
 */
const segmentOf = (path: string): string => path.split('/')[1] ?? ''
const sectionOf = (segment: string): string => segment.replace('_', '').toUpperCase()

/** Allow operations without POST=1 and without their section, as in linuxserver's; Tecnativa's also needs POST=1. */
const OPENS: Readonly<Record<string, readonly OperationName[]>> = {
  ALLOW_START: ['ContainerStart'],
  ALLOW_STOP: ['ContainerStop'],
  ALLOW_RESTARTS: ['ContainerStop', 'ContainerRestart', 'ContainerKill'],
  ALLOW_PAUSE: ['ContainerPause'],
  ALLOW_UNPAUSE: ['ContainerUnpause'],
}

/** Deny operations if 0, whatever their section says; 1 changes nothing. */
const CLOSES: Readonly<Record<string, readonly OperationName[]>> = {
  ALLOW_EXEC: ['ContainerExec'],
  ALLOW_KILL: ['ContainerKill'],
  ALLOW_ATTACH: ['ContainerAttach', 'ContainerAttachWebsocket'],
  ALLOW_ARCHIVE: ['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive', 'ContainerCopy'],
  ALLOW_EXPORT: ['ContainerExport'],
  ALLOW_LOGS: ['ContainerLogs'],
}

/** Methods other than GET and HEAD; PUT and DELETE default to POST. */
const METHODS = ['POST', 'PUT', 'DELETE'] as const

export const sectionNames: readonly string[] = [
  ...[...new Set(operationNames.map((name) => segmentOf(operationNamed(name).path)))].sort().map(sectionOf),
  ...METHODS,
  ...Object.keys(OPENS),
  ...Object.keys(CLOSES),
]

/** Sections enabled by default. */
const BY_DEFAULT: ReadonlySet<string> = new Set(['EVENTS', 'PING', 'VERSION'])

/** A GET that writes to a process (as in Tecnativa's ALLOW_ATTACH). */
const WRITES: ReadonlySet<OperationName> = new Set<OperationName>(['ContainerAttachWebsocket'])

/** Booleans of HAProxy. */
const ON = /^(?:1|true|yes|on)$/i
const SWITCH = /^(?:1|true|yes|on|0|false|no|off)$/i

export interface Decided {
  readonly allowed: boolean
  /** The deciding rule: `preset traefik`, `POST=0`, `deny ContainerKill`, `bodies.privileged`. */
  readonly rule: string
}

export function switchProblem(name: string, value: string): string | undefined {
  if (!sectionNames.includes(name)) return `${name} is not a section${didYouMean(name, sectionNames)}`
  return SWITCH.test(value) ? undefined : `${name}: "${value}" is neither 0 nor 1`
}

/** Decides every operation by valid switches. */
export function decideBySections(said: Readonly<Record<string, string>>): ReadonlyMap<OperationName, Decided> {
  const switches = new Map(Object.entries(said).map(([name, value]) => [name, ON.test(value)]))
  return new Map(operationNames.map((name) => [name, decide(operationNamed(name), switches)]))
}

function decide({ name, method, path }: Operation, switches: ReadonlyMap<string, boolean>): Decided {
  for (const [opener, operations] of Object.entries(OPENS))
    if (operations.includes(name) && switches.get(opener) === true) return { allowed: true, rule: `${opener}=1` }
  for (const [closer, operations] of Object.entries(CLOSES))
    if (operations.includes(name) && switches.get(closer) === false) return { allowed: false, rule: `${closer}=0` }
  const reads = (method === 'GET' || method === 'HEAD') && !WRITES.has(name)
  if (!reads && !mayWrite(method, switches)) return { allowed: false, rule: `${methodSwitch(method, switches)}=0` }
  const section = sectionOf(segmentOf(path))
  const allowed = switches.get(section) ?? BY_DEFAULT.has(section)
  return { allowed, rule: `${section}=${allowed ? 1 : 0}` }
}

const methodSwitch = (method: string, switches: ReadonlyMap<string, boolean>): string =>
  METHODS.some((one) => one === method) && switches.has(method) ? method : 'POST'

const mayWrite = (method: string, switches: ReadonlyMap<string, boolean>): boolean =>
  switches.get(methodSwitch(method, switches)) === true
