import { isObject, isUnset, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/**
 * Before 1.41 a container shared the host's cgroup namespace. For old versions engines still do so on cgroup v1 if create
 * has a HostConfig (container_routes.go:postContainersCreate). Info has the cgroup version.
 */
export async function shareCgroupNamespace({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  const hostConfig = memberAt(body, 'HostConfig')
  if (!isObject(hostConfig) || !isUnset(hostConfig['CgroupnsMode']) || context.engine.os === 'windows') return
  const info = await context.engineInfo()
  if (info !== undefined && info['CgroupVersion'] !== '2') hostConfig['CgroupnsMode'] = 'host'
}
