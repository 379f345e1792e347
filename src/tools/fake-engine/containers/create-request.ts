import { isObject, isRawNumber, type JsonObject, type JsonValue, objectOf, stringOf } from '../../../api/json/json.ts'
import { EngineError } from '../wire.ts'

/** Types that Engine 29 enforces in create and exec bodies: Go's, without a single string in place of a list. */
type GoType = '[]string' | 'string' | 'bool'

const CONFIG: Readonly<Record<string, GoType>> = {
  ...of('string', 'Hostname', 'Domainname', 'User', 'Image', 'WorkingDir', 'StopSignal'),
  ...of('bool', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'OpenStdin', 'StdinOnce', 'NetworkDisabled'),
  ...of('[]string', 'Env', 'Cmd', 'Entrypoint', 'Shell', 'OnBuild'),
}
const HOST_CONFIG: Readonly<Record<string, GoType>> = {
  ...of('bool', 'AutoRemove', 'Privileged', 'PublishAllPorts', 'ReadonlyRootfs'),
  ...of('[]string', 'Binds', 'CapAdd', 'CapDrop', 'DnsSearch', 'ExtraHosts', 'GroupAdd', 'Links'),
  ...of('[]string', 'SecurityOpt', 'VolumesFrom'),
}
const EXEC: Readonly<Record<string, GoType>> = {
  ...of('string', 'User', 'WorkingDir', 'DetachKeys'),
  ...of('bool', 'Tty', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Detach', 'Privileged'),
  ...of('[]string', 'Env', 'Cmd'),
}

function of(type: GoType, ...names: readonly string[]): Record<string, GoType> {
  return Object.fromEntries(names.map((name) => [name, type]))
}

/** JSON's name for a value, as in encoding/json's errors. */
function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'object' && value !== null) return isRawNumber(value) ? 'number' : 'object'
  return typeof value
}

function fits(value: JsonValue, type: GoType): boolean {
  if (value === null) return true
  if (type === '[]string') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  return kindOf(value) === type
}

function wrongType(kind: string, field: string, type: string): EngineError {
  return new EngineError(
    400,
    `invalid JSON: json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`,
  )
}

function checkTypes(object: JsonObject, types: Readonly<Record<string, GoType>>, path: string): void {
  for (const [name, type] of Object.entries(types)) {
    const value = object[name]
    if (value !== undefined && !fits(value, type)) throw wrongType(kindOf(value), `${path}.${name}`, type)
  }
}

const PORT = /^(\d{1,5})(-\d{1,5})?(\/[a-z]+)?$/i

function checkPorts(ports: JsonObject): void {
  for (const name of Object.keys(ports)) {
    if (PORT.test(name)) continue
    throw new EngineError(400, `invalid JSON: invalid port '${name.split('/', 1)[0]}': invalid syntax`)
  }
}

function checkBindings(bindings: JsonObject): void {
  checkPorts(bindings)
  for (const list of Object.values(bindings)) {
    for (const binding of Array.isArray(list) ? list : []) {
      const port = objectOf(binding)['HostPort']
      if (port !== undefined && port !== null && typeof port !== 'string')
        throw wrongType(kindOf(port), 'PortBinding.HostConfig.PortBindings.HostPort', 'string')
    }
  }
}

const MINIMUM_MEMORY = 6 << 20
const RESTART_POLICIES = ['', 'no', 'always', 'on-failure', 'unless-stopped']

function checkHostConfig(hostConfig: JsonObject): void {
  const memory = hostConfig['Memory']
  if (typeof memory === 'number' && memory > 0 && memory < MINIMUM_MEMORY)
    throw new EngineError(400, 'Minimum memory limit allowed is 6MB')
  const { Name, MaximumRetryCount } = objectOf(hostConfig['RestartPolicy'])
  if (!RESTART_POLICIES.includes(stringOf(Name))) {
    throw new EngineError(
      400,
      `invalid restart policy: unknown policy '${stringOf(Name)}'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'`,
    )
  }
  if (typeof MaximumRetryCount === 'number' && MaximumRetryCount !== 0 && Name !== 'on-failure')
    throw new EngineError(400, `invalid restart policy: maximum retry count can only be used with 'on-failure'`)
}

export interface CreateRequest {
  readonly config: JsonObject
  readonly hostConfig: JsonObject
}

export function readCreateRequest(body: JsonValue): CreateRequest {
  if (!isObject(body)) {
    throw new EngineError(
      400,
      `invalid JSON: json: cannot unmarshal ${kindOf(body)} into Go value of type container.CreateRequest`,
    )
  }
  const { HostConfig, NetworkingConfig: _networking, ...config } = body
  const hostConfig = objectOf(HostConfig)
  if (Object.keys(body).length === 0)
    throw new EngineError(400, 'config cannot be empty in order to create a container')
  checkTypes(config, CONFIG, 'CreateRequest.Config')
  checkPorts(objectOf(config['ExposedPorts']))
  checkTypes(hostConfig, HOST_CONFIG, 'HostConfig.HostConfig')
  checkBindings(objectOf(hostConfig['PortBindings']))
  checkHostConfig(hostConfig)
  return { config, hostConfig }
}

/** The body of an update: resources and the restart policy. */
export function readUpdateRequest(body: JsonValue): JsonObject {
  const wanted = objectOf(body)
  checkHostConfig(wanted)
  return wanted
}

export function readExecRequest(body: JsonValue): JsonObject {
  const config = objectOf(body)
  checkTypes(config, EXEC, 'ExecCreateRequest')
  const command = config['Cmd']
  if (!Array.isArray(command) || command.length === 0) throw new EngineError(400, 'No exec command specified')
  return config
}
