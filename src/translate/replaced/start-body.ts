import { isObject, isUnset, type JsonObject } from '../../api/json/json.ts'
import { memberNamed } from '../../api/json/names.ts'
import type { RequestMessage } from '../message.ts'

/** Members that a wrapped body may have beside `HostConfig`: used if the inner object does not set them. */
const BESIDE = ['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'] as const

/**
 * The body of start is a HostConfig, bare or wrapped in `{"HostConfig": …}`, with the old name `Cpuset` beside it
 * (runconfig/config.go:getHostConfig @v1.6.2 … @v20.10). Steps see it bare. No engine reads anything from `{}` and
 * `null`, but a member that a step added to them would replace the container's HostConfig: both are removed.
 */
export function unwrapStartBody(message: RequestMessage): void {
  const { body } = message
  if (body === null || (isObject(body) && Object.keys(body).length === 0)) message.body = undefined
  if (!isObject(body)) return
  const inner = takeOut(body, 'HostConfig')
  const cpuset = takeOut(body, 'Cpuset')
  const hostConfig = isObject(inner) ? inner : body
  if (isObject(inner)) for (const member of BESIDE) fill(hostConfig, member, body[member])
  fill(hostConfig, 'CpusetCpus', cpuset)
  // `{"HostConfig": {}}` does replace it, with defaults; in a bare body, an unset member has the same effect.
  if (isObject(inner) && Object.keys(inner).length === 0) hostConfig['Binds'] = null
  message.body = Object.keys(hostConfig).length === 0 ? undefined : hostConfig
}

function takeOut(object: JsonObject, field: string): JsonObject[string] {
  const name = memberNamed(object, field)
  if (name === undefined) return undefined
  const value = object[name]
  delete object[name]
  return value
}

function fill(object: JsonObject, member: string, value: JsonObject[string]): void {
  if (value !== undefined && !isUnset(value) && isUnset(object[member])) object[member] = value
}
