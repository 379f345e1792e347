import { mapTexts } from '../../api/json/json.ts'
import { readAsGo } from '../../api/json/read.ts'
import { words } from '../../config/text.ts'
import type { BodyRule } from '../file/rules.ts'
import type { Judge } from '../judge.ts'

/** Build parameters of all engines that give no access to the host, or that are judged elsewhere. */
const HARMLESS: ReadonlySet<string> = new Set(
  words(`t remote extrahosts q suppressoutput nocache cachefrom pull rm forcerm memory memswap cpushares cpusetcpus
    cpusetmems cpuperiod cpuquota shmsize ulimits buildargs labels squash platform target version buildid
    session storageopt networkmode cgroupparent securityopt`),
)

/** Clients name parameters: `constructor` is a member of every object, but in no map. */
const named = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> => new Map(Object.entries(rows))

/**
 * Podman's additional parameters (pkg/api/handlers/compat/images_build.go): directories, devices and files of the host.
 * Unknown ones are denied under `unknown-members`.
 */
const RULED: ReadonlyMap<string, BodyRule> = named({
  volume: 'host-mounts',
  additionalbuildcontexts: 'host-mounts',
  secrets: 'host-mounts',
  rusagelogfile: 'host-mounts',
  addcaps: 'capabilities',
  devices: 'devices',
  nsoptions: 'host-namespaces',
  idmappingoptions: 'host-namespaces',
  cninetworks: 'host-namespaces',
  apparmor: 'security-opts',
  seccomp: 'security-opts',
  labelopts: 'security-opts',
  unmask: 'security-opts',
})

/** Whether a path leaves its starting directory, or has escapes that parsers may decode differently. */
const leadsOut = (path: string): boolean => /^\s*\/|(?:^|[^\w.-])\.\.(?:[^\w.-]|$)|[\\\0]/.test(path)

/**
 * Podman also searches outside the context: with `..`, in some versions with an absolute path (compat/images_build.go).
 * The value may be a JSON list with escapes.
 */
const isWithinContext = (value: string): boolean =>
  !leadsOut(value) && (texts(value) ?? []).every((path) => !leadsOut(path))

/**
 * BuildKit's exporters that write to the client. Podman accepts `type=local,dest=/etc` on the host, and takes any text
 * without commas as a path (buildah, pkg/parse).
 */
const writesToClient = (value: string): boolean =>
  value === '' || (texts(value) !== undefined && !/\.\.|\\/.test(value))

/** The strings of a JSON list; undefined for anything else. */
function texts(value: string): readonly string[] | undefined {
  const { value: list, rest } = readAsGo(value)
  if (!Array.isArray(list) || rest !== '') return undefined
  const found: string[] = []
  mapTexts(list, (text) => {
    found.push(text)
    return text
  })
  return found
}

/** Parameters that are harmless with these values; with others they mean something else in Podman. */
const ORDINARY: ReadonlyMap<string, readonly [(value: string) => boolean, BodyRule]> = named({
  outputs: [writesToClient, 'host-mounts'],
  dockerfile: [isWithinContext, 'host-mounts'],
  // Podman's `chroot` isolation is not a container.
  isolation: [(value) => value === 'default', 'host-namespaces'],
})

/** The parameters of a build, with folded names (outgoing.ts). */
export function judgeBuild(judge: Judge, query: URLSearchParams): void {
  for (const [name, value] of query) {
    const ordinary = ORDINARY.get(name)
    if (value === '' || (ordinary?.[0](value) ?? HARMLESS.has(name))) continue
    const rule = ordinary?.[1] ?? RULED.get(name) ?? 'unknown-members'
    judge.deny(rule, `the parameter ${name} of a build`)
  }
}
