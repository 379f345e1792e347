import { isObject, isUnset, type JsonObject, memberAt } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** Settings without effect for a container that shares another's network. Links have an effect: the engine checks them. */
const OF_CONFIG = ['Hostname', 'Domainname', 'MacAddress', 'ExposedPorts'] as const
const OF_HOST_CONFIG = ['Dns', 'ExtraHosts', 'PortBindings', 'PublishAllPorts'] as const

/** Engines up to 1.8 did not check these combinations; later ones answer 409 or 400. */
export function withoutConflicts({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  const hostConfig = memberAt(body, 'HostConfig')
  if (!isObject(body) || !isObject(hostConfig)) return
  const mode = hostConfig['NetworkMode']
  const drop = (object: JsonObject, members: readonly string[], prefix: string): void => {
    for (const member of members) {
      if (!isUnset(object[member])) context.ignore(`${prefix}${member}`, change.id)
      delete object[member]
    }
  }
  if (typeof mode === 'string' && mode.startsWith('container:')) {
    drop(body, OF_CONFIG, '')
    drop(hostConfig, OF_HOST_CONFIG, 'HostConfig.')
  }
  // Only engines 1.9 to 1.11 refuse a host name with the host's network; 1.12 and later set it, 1.8 did not.
  if (mode === 'host' && context.engine.highest < 24) drop(body, ['Hostname'], '')
}
