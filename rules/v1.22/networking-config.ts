import { isObject, isUnset, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { saysNothing } from '../by-hand/host-config.ts'

/** The engine that brought user-defined networks: 1.9, API 1.21. */
const HAS_NETWORKS = 21

/**
 * What engines before 1.10 can do of a NetworkingConfig: one endpoint with nothing but a name, which is NetworkMode.
 * Aliases, links and addresses have no older word. Returns whether everything was said.
 */
export function asNetworkMode(config: JsonValue, create: JsonObject, { engine }: StepContext): boolean {
  const endpoints = isObject(config) ? config['EndpointsConfig'] : undefined
  if (isUnset(endpoints) || !isObject(endpoints)) return true
  const [name, ...more] = Object.keys(endpoints)
  if (name === undefined || more.length > 0 || !saysNothing(endpoints[name])) return false
  const hostConfig = isObject(create['HostConfig']) ? create['HostConfig'] : {}
  const mode = isUnset(hostConfig['NetworkMode']) ? 'default' : hostConfig['NetworkMode']
  if (mode === name || (mode === 'default' && name === 'bridge')) return true
  if (mode !== 'default' || engine.highest < HAS_NETWORKS) return false
  create['HostConfig'] = { ...hostConfig, NetworkMode: name }
  return true
}
