import type { GoObject } from './go-json.ts'
import { judgeCapabilities, judgeNamespace } from './host-config.ts'
import { judgeImage } from './images.ts'
import { type Judge, read } from './judge.ts'
import { judgeLog, judgeMount } from './mounts.ts'

/** A swarm service: its tasks are containers (api/types/swarm). */
export function judgeService(judge: Judge, body: GoObject): void {
  const task = read.object(body.get('TaskTemplate'), 'TaskTemplate')
  if (read.object(task?.get('PluginSpec'), 'PluginSpec') !== undefined)
    judge.deny('plugins', 'a plugin may do to the host what it likes')
  const networks = [
    ...read.objects(task?.get('Networks'), 'Networks'),
    ...read.objects(body.get('Networks'), 'Networks'),
  ]
  for (const network of networks)
    judgeNamespace(judge, 'network', read.text(network.get('Target'), 'Networks.Target'), 'a network of the service')
  judgeLog(judge, read.object(read.object(task?.get('LogDriver'), 'LogDriver')?.get('Options'), 'LogDriver.Options'))
  const container = read.object(task?.get('ContainerSpec'), 'ContainerSpec')
  if (container === undefined) return
  judgeImage(judge, read.text(container.get('Image'), 'Image'))
  for (const mount of read.objects(container.get('Mounts'), 'Mounts')) judgeMount(judge, mount)
  judgeCapabilities(judge, read.texts(container.get('CapabilityAdd'), 'CapabilityAdd'))
  // Seccomp, AppArmor and SELinux of the service's own: none of them is needed to have more protection.
  for (const [key, value] of read.object(container.get('Privileges'), 'Privileges')?.entries ?? [])
    if (value !== null && !(key === 'NoNewPrivileges' && value === true))
      judge.unlessListed('security-opts', `privileges.${key}`, `Privileges.${key}`)
}
