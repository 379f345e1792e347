import {
  fromInteger,
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  numberText,
  writeJson,
} from '../../src/api/json/json.ts'
import { words } from '../../src/config/text.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/**
 * Engine 1.6 keeps the members of a body as text (engine/env.go @v1.6.2), and its code reads a boolean, a number, a list or
 * a map from it. Seen in the recordings of 1.6.2 named created-type-*: Tty "yes" is true, Env "A=b" is ["A=b"], Cmd 5 is
 * ["5"]; an array is dropped if a map is read. Later engines refuse all of these.
 */
type Kind = 'bool' | 'int' | 'text' | 'list' | 'map'
type Kinds = Readonly<Record<string, Kind>>

const kinds = (kind: Kind, names: readonly string[]): Kinds => Object.fromEntries(names.map((name) => [name, kind]))

const CONFIG: Kinds = {
  ...kinds('bool', ['AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'OpenStdin', 'StdinOnce', 'NetworkDisabled']),
  ...kinds('text', ['Hostname', 'Domainname', 'User', 'Image', 'WorkingDir', 'MacAddress', 'Cpuset']),
  ...kinds('int', ['Memory', 'MemorySwap', 'CpuShares']),
  ...kinds('list', ['Env', 'Cmd', 'Entrypoint', 'PortSpecs', 'OnBuild']),
  ...kinds('map', ['ExposedPorts', 'Volumes', 'Labels']),
}

const HOST_CONFIG: Kinds = {
  ...kinds('bool', ['Privileged', 'PublishAllPorts', 'ReadonlyRootfs']),
  ...kinds('text', ['ContainerIDFile', 'CpusetCpus', 'NetworkMode', 'IpcMode', 'PidMode', 'CgroupParent']),
  ...kinds('int', ['Memory', 'MemorySwap', 'CpuShares']),
  ...kinds('list', ['Binds', 'Links', 'Dns', 'DnsSearch', 'ExtraHosts', 'VolumesFrom']),
  ...kinds('list', ['CapAdd', 'CapDrop', 'SecurityOpt']),
  ...kinds('map', ['PortBindings', 'RestartPolicy', 'LogConfig']),
}

const EXEC: Kinds = {
  ...kinds('bool', ['AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'Detach', 'Privileged']),
  ...kinds('text', ['Container', 'User']),
  ...kinds('list', ['Cmd']),
}

/**
 * Members of an inner HostConfig that are kept despite a wrong type. Engine 1.6 decodes it as JSON and silently drops such
 * values, but a container must not start with less protection than requested.
 */
const PROTECTS = new Set(words('Memory MemorySwap CpuShares CpusetCpus ReadonlyRootfs CapDrop SecurityOpt'))

const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? value : (numberText(value) ?? writeJson(value))

const rightKind: Readonly<Record<Kind, (value: JsonValue) => boolean>> = {
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'number' || isRawNumber(value),
  text: (value) => typeof value === 'string',
  list: Array.isArray,
  map: isObject,
}

function coerced(value: JsonValue, kind: Kind): JsonValue {
  switch (kind) {
    case 'bool':
      return isTrue(textOf(value))
    case 'int': {
      // "1g" counted as 0, which is unlimited: left unchanged, so that the engine refuses it.
      const text = textOf(value).trim()
      return /^-?\d+$/.test(text) ? fromInteger(BigInt(text)) : text === '' ? 0 : value
    }
    case 'text':
      return textOf(value)
    case 'list':
      return value === '' ? null : [textOf(value)]
    case 'map':
      return null
    default:
      return kind satisfies never
  }
}

function coerceAll(object: JsonObject, wanted: Kinds, inner = false): void {
  for (const [name, kind] of Object.entries(wanted)) {
    const value = object[name]
    if (value === undefined || value === null || rightKind[kind](value)) continue
    if (inner && !PROTECTS.has(name)) delete object[name]
    else object[name] = coerced(value, kind)
  }
}

/** A body that is not JSON counts as empty for commit and auth (recordings of 1.6.2: commit-badjson, auth-badjson, auth-empty). */
export function emptyForNonsense(message: RequestMessage, { operation }: StepContext): void {
  if (message.body !== undefined) return
  if (operation === 'ImageCommit' && message.text === undefined) return // every engine accepts a missing body
  delete message.text
  message.body = {}
}

/** Converts every member to the JSON type that engine 1.6 would have read. */
export function typed({ body }: RequestMessage, { operation }: StepContext): void {
  if (!isObject(body)) return
  switch (operation) {
    case 'ContainerStart':
      coerceAll(body, HOST_CONFIG)
      return
    case 'ContainerExec':
    case 'ExecStart':
      coerceAll(body, EXEC)
      return
    default: {
      coerceAll(body, CONFIG)
      const { HostConfig: hostConfig } = body
      // Without a HostConfig the top level is read as one.
      if (isObject(hostConfig)) coerceAll(hostConfig, HOST_CONFIG, true)
      else coerceAll(body, HOST_CONFIG)
    }
  }
}
