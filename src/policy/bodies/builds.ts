import { mapTexts } from '../../api/json/json.ts'
import { readAsGo } from '../../api/json/read.ts'
import type { BodyRule } from '../file/rules.ts'
import { type Judge, Violation } from '../judge.ts'

/** Parameters of a build that every engine has and that give it nothing of its host, or that have a rule of their own. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['t', 'remote', 'extrahosts', 'q', 'suppressoutput', 'nocache', 'cachefrom', 'pull', 'rm', 'forcerm'],
  ...['memory', 'memswap', 'cpushares', 'cpusetcpus', 'cpusetmems', 'cpuperiod', 'cpuquota', 'shmsize', 'ulimits'],
  ...['buildargs', 'labels', 'squash', 'platform', 'target', 'version', 'buildid', 'session', 'storageopt'],
  ...['networkmode', 'cgroupparent', 'securityopt'],
])

/**
 * What Podman's build takes beside them (pkg/api/handlers/compat/images_build.go): the folders, devices and files of the
 * host are the engine's there. An unknown one is refused under `unknown-members`.
 */
const RULED: Readonly<Record<string, BodyRule>> = {
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
}

/** Whether a path leads out of the folder that it starts from, or says something that two readers undo differently. */
const leadsOut = (path: string): boolean => /^\s*\/|(?:^|[^\w.-])\.\.(?:[^\w.-]|$)|[\\\0]/.test(path)

/**
 * Podman looks for it outside the context too: by `..`, in some versions by a whole path (compat/images_build.go). It may
 * be a list in JSON, whose texts may be written with escapes.
 */
const isWithinContext = (value: string): boolean =>
  !leadsOut(value) && (texts(value) ?? []).every((path) => !leadsOut(path))

/**
 * BuildKit's exporters, which write to the client. Podman takes `type=local,dest=/etc`, which is the host's, and a text
 * without commas as a path, whatever it begins with (buildah, pkg/parse).
 */
const writesToClient = (value: string): boolean =>
  value === '' || (texts(value) !== undefined && !/\.\.|\\/.test(value))

/** Every text in a list in JSON; undefined for anything else. */
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

/** Parameters that mean what they say as long as this is so; anything else in them is another thing than on Docker. */
const ORDINARY: Readonly<Record<string, readonly [(value: string) => boolean, BodyRule]>> = {
  outputs: [writesToClient, 'host-mounts'],
  dockerfile: [isWithinContext, 'host-mounts'],
  // Podman's `chroot` is no container.
  isolation: [(value) => value === 'default', 'host-namespaces'],
}

/** The parameters of a build, their names folded (outgoing.ts). */
export function judgeBuild(judge: Judge, query: URLSearchParams): void {
  for (const [name, value] of query) {
    const ordinary = ORDINARY[name]
    if (value === '' || (ordinary?.[0](value) ?? HARMLESS.has(name))) continue
    const rule = ordinary?.[1] ?? RULED[name] ?? 'unknown-members'
    if (judge.has(rule)) throw new Violation(rule, `the parameter ${name} of a build`)
  }
}
