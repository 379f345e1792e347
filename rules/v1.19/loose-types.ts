import {
  fromInteger,
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  numberText,
  writeJson,
} from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { words } from '../../src/config/text.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? value : (numberText(value) ?? writeJson(value))

/**
 * Engine 1.6 keeps the members of a body as text (engine/env.go @v1.6.2), and its code reads a boolean, a number, a list or
 * a map from it. Seen in the recordings of 1.6.2 named created-type-*: Tty "yes" is true, Env "A=b" is ["A=b"], Cmd 5 is
 * ["5"]; an array is dropped if a map is read. Later engines refuse all of these.
 */
const READ_AS = {
  bool: (value) => (typeof value === 'boolean' ? value : isTrue(textOf(value))),
  int: (value) => {
    if (typeof value === 'number' || isRawNumber(value)) return value
    // "1g" counted as 0, which is unlimited: left unchanged, so that the engine refuses it.
    const text = textOf(value).trim()
    return /^-?\d+$/.test(text) ? fromInteger(BigInt(text)) : text === '' ? 0 : value
  },
  text: textOf,
  list: (value) => (Array.isArray(value) ? value : value === '' ? null : [textOf(value)]),
  map: (value) => (isObject(value) ? value : null),
} as const satisfies Readonly<Record<string, (value: JsonValue) => JsonValue>>

type Kind = keyof typeof READ_AS
type Kinds = Readonly<Record<string, Kind>>

const kinds = (byKind: { readonly [kind in Kind]?: string }): Kinds =>
  Object.fromEntries(
    Object.entries(byKind).flatMap(([kind, names]) => words(names).map((name) => [name, kind as Kind])),
  )

const CONFIG = kinds({
  bool: 'AttachStdin AttachStdout AttachStderr Tty OpenStdin StdinOnce NetworkDisabled',
  text: 'Hostname Domainname User Image WorkingDir MacAddress Cpuset',
  int: 'Memory MemorySwap CpuShares',
  list: 'Env Cmd Entrypoint PortSpecs OnBuild',
  map: 'ExposedPorts Volumes Labels',
})
const HOST_CONFIG = kinds({
  bool: 'Privileged PublishAllPorts ReadonlyRootfs',
  text: 'ContainerIDFile CpusetCpus NetworkMode IpcMode PidMode CgroupParent',
  int: 'Memory MemorySwap CpuShares',
  list: 'Binds Links Dns DnsSearch ExtraHosts VolumesFrom CapAdd CapDrop SecurityOpt',
  map: 'PortBindings RestartPolicy LogConfig',
})
const EXEC = kinds({
  bool: 'AttachStdin AttachStdout AttachStderr Tty Detach Privileged',
  text: 'Container User',
  list: 'Cmd',
})
/** Bodies of one object. */
const FLAT: { readonly [operation in OperationName]?: Kinds } = {
  ContainerStart: HOST_CONFIG,
  ContainerExec: EXEC,
  ExecStart: EXEC,
}

/**
 * Members of an inner HostConfig that are kept despite a wrong type. Engine 1.6 decodes it as JSON and silently drops such
 * values, but a container must not start with less protection than requested.
 */
const PROTECTS = new Set(words('Memory MemorySwap CpuShares CpusetCpus ReadonlyRootfs CapDrop SecurityOpt'))

function coerceAll(object: JsonObject, wanted: Kinds, inner = false): void {
  for (const [name, kind] of Object.entries(wanted)) {
    const value = object[name]
    if (value === undefined || value === null) continue
    const read = READ_AS[kind](value)
    if (inner && read !== value && !PROTECTS.has(name)) delete object[name]
    else object[name] = read
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
  const flat = FLAT[operation]
  coerceAll(body, flat ?? CONFIG)
  if (flat !== undefined) return
  const { HostConfig: hostConfig } = body
  // Without a HostConfig the top level is read as one.
  if (isObject(hostConfig)) coerceAll(hostConfig, HOST_CONFIG, true)
  else coerceAll(body, HOST_CONFIG)
}
