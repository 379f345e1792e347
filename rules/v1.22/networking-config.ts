import { isObject, isUnset, type JsonObject, type JsonValue, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { saysNothing } from '../by-hand/host-config.ts'

/** API version of engine 1.9, the first with user-defined networks. */
const HAS_NETWORKS = 21

/**
 * Turns a NetworkingConfig into NetworkMode for engines before 1.10, which have one endpoint without aliases, links and
 * addresses. Returns whether nothing was lost.
 */
export function asNetworkMode(config: JsonValue, create: JsonObject, { engine }: StepContext): boolean {
  const endpoints = memberAt(config, 'EndpointsConfig')
  if (isUnset(endpoints) || !isObject(endpoints)) return true
  const [name, ...more] = Object.keys(endpoints)
  if (name === undefined || more.length > 0 || !saysNothing(endpoints[name])) return false
  const hostConfig = objectOf(create['HostConfig'])
  const mode = isUnset(hostConfig['NetworkMode']) ? 'default' : hostConfig['NetworkMode']
  if (mode === name || (mode === 'default' && name === 'bridge')) return true
  if (mode !== 'default' || engine.highest < HAS_NETWORKS) return false
  create['HostConfig'] = { ...hostConfig, NetworkMode: name }
  return true
}
