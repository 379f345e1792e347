import { type Judge, Violation } from './judge.ts'
import type { BodyRule } from './rules.ts'

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

/** Parameters that mean what they say up to here; anything else in them is another thing than on Docker. */
const ORDINARY: Readonly<Record<string, readonly [RegExp, BodyRule]>> = {
  // BuildKit's exporters, which write to the client; Podman takes `type=local,dest=/etc`, which is the host's.
  outputs: [/^(?:\s*\[[\s\S]*)?$/, 'host-mounts'],
  // Podman looks for it outside the context too.
  dockerfile: [/^(?!.*(?:^|[^\w.-])\.\.(?:[^\w.-]|$))/s, 'host-mounts'],
  // Podman's `chroot` is no container.
  isolation: [/^(?:default)?$/, 'host-namespaces'],
}

/** The parameters of a build, their names folded (outgoing.ts). */
export function judgeBuild(judge: Judge, query: URLSearchParams): void {
  for (const [name, value] of query) {
    const ordinary = ORDINARY[name]
    if (value === '' || (ordinary?.[0].test(value) ?? HARMLESS.has(name))) continue
    const rule = ordinary?.[1] ?? RULED[name] ?? 'unknown-members'
    if (judge.has(rule)) throw new Violation(rule, `the parameter ${name} of a build`)
  }
}
