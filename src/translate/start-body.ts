import { isObject, isUnset, type JsonObject } from '../api/json/json.ts'
import { memberNamed } from '../api/json/names.ts'
import type { RequestMessage } from './message.ts'

/** Members that a wrapped body may still have beside `HostConfig`: they count where the inner object leaves them open. */
const BESIDE = ['Memory', 'MemorySwap', 'CpuShares', 'CpusetCpus', 'VolumeDriver'] as const

/**
 * The body of start is a HostConfig, bare or wrapped in `{"HostConfig": …}`, with the old name `Cpuset` beside it
 * (runconfig/config.go:getHostConfig @v1.6.2 … @v20.10). Steps see it bare. `{}` and `null` say nothing on every
 * engine and become no body, so that no step fills them: a filled body would replace the container's HostConfig.
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
  // `{"HostConfig": {}}` does replace, by defaults; bare, an unset member says the same.
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
