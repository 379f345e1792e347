import { isObject, isUnset, type JsonObject, type JsonValue, objectOf } from '../../../api/json/json.ts'
import { EngineError } from '../wire.ts'

/** Members that are lists of strings in Engine 29's Go types; clients of old versions send a single string. */
const CONFIG_LISTS = ['Cmd', 'Entrypoint', 'Env', 'OnBuild', 'Shell']
const HOST_CONFIG_LISTS = ['Binds', 'CapAdd', 'CapDrop', 'DnsSearch', 'ExtraHosts', 'GroupAdd', 'Links', 'SecurityOpt']

function checkLists(object: JsonObject, names: readonly string[], path: string): void {
  for (const name of names) {
    const value = object[name] ?? null
    if (value === null || Array.isArray(value)) continue
    const message = `cannot unmarshal ${typeof value} into Go struct field ${path}.${name} of type []string`
    throw new EngineError(400, `invalid JSON: json: ${message}`)
  }
}

export interface CreateRequest {
  readonly config: JsonObject
  readonly hostConfig: JsonObject
}

export function readCreateRequest(body: JsonValue): CreateRequest {
  if (!isObject(body) || Object.keys(body).length === 0)
    throw new EngineError(400, 'config cannot be empty in order to create a container')
  const { HostConfig, NetworkingConfig: _networking, ...config } = body
  const hostConfig = objectOf(HostConfig)
  checkLists(config, CONFIG_LISTS, 'CreateRequest.Config')
  checkLists(hostConfig, HOST_CONFIG_LISTS, 'HostConfig.HostConfig')
  // Without a command the image's own applies (its recorded Config has `["sh"]`).
  if (isUnset(config['Cmd']) && isUnset(config['Entrypoint'])) config['Cmd'] = ['sh']
  return { config, hostConfig }
}

export function readExecRequest(body: JsonValue): JsonObject {
  const config = objectOf(body)
  checkLists(config, ['Cmd', 'Env'], 'ExecCreateRequest')
  if (isUnset(config['Cmd'])) throw new EngineError(400, 'No exec command specified')
  return config
}
