import { Names } from '../../api/json/names.ts'
import { words } from '../../config/text.ts'
import { type Judge, read } from '../judge.ts'
import { judgeCapabilities, judgeNamespace } from './host-config.ts'
import { judgeImage } from './images.ts'
import type { Members } from './members.ts'
import { judgeLog, judgeMount } from './mounts.ts'

/** Members of a ContainerSpec that are judged, or give no access to the host (api/types/swarm/container.go). */
const KNOWN = new Names(
  words(`
  Image Labels Command Args Hostname Env Dir User Groups Privileges Init StopSignal TTY OpenStdin ReadOnly Mounts
  StopGracePeriod Healthcheck Hosts DNSConfig Secrets Configs Isolation Sysctls CapabilityAdd CapabilityDrop Ulimits
  OomScoreAdj
`),
)

/** A name that managers may resolve as a network id or its prefix (daemon/cluster/helpers.go:getNetwork). */
const MAYBE_ID = /^[0-9a-z]+$/

/** A target that could be an id is judged as the host's network: an id does not tell which network it is. */
function judgeNetwork(judge: Judge, target: string): void {
  judgeNamespace(judge, 'network', target, 'a network of the service')
  if (MAYBE_ID.test(target))
    judge.unlessListed(
      'host-namespaces',
      'network',
      `a network of the service is ${JSON.stringify(target)}, which could be the id of the host's: use a name with _ or -`,
    )
}

/** Judges a swarm service, whose tasks are containers (api/types/swarm). */
export function judgeService(judge: Judge, body: Members): void {
  const task = read.object(body.get('TaskTemplate'), 'TaskTemplate')
  if (read.object(task?.get('PluginSpec'), 'PluginSpec') !== undefined)
    judge.deny('plugins', 'a plugin can control the host')
  const networks = [task, body].flatMap((holder) => read.objects(holder?.get('Networks'), 'Networks'))
  for (const network of networks) judgeNetwork(judge, read.text(network.get('Target'), 'Networks.Target'))
  const log = read.object(task?.get('LogDriver'), 'LogDriver')
  judgeLog(judge, log?.get('Name'), log?.get('Options'))
  const container = read.object(task?.get('ContainerSpec'), 'ContainerSpec')
  if (container === undefined) return
  for (const [key] of container.entries)
    if (KNOWN.field(key) === undefined) judge.deny('unknown-members', `unknown member ContainerSpec.${key}`)
  judgeImage(judge, read.text(container.get('Image'), 'Image'))
  for (const mount of read.objects(container.get('Mounts'), 'Mounts')) judgeMount(judge, mount)
  judgeCapabilities(judge, read.texts(container.get('CapabilityAdd'), 'CapabilityAdd'))
  // A service can only relax seccomp, AppArmor and SELinux.
  for (const [key, value] of read.object(container.get('Privileges'), 'Privileges')?.entries ?? [])
    if (value !== null && !(key === 'NoNewPrivileges' && value === true))
      judge.unlessListed('security-opts', `privileges.${key}`, `Privileges.${key}`)
}
