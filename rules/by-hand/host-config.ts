import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** Operations whose request has a HostConfig. */
export const BRINGS_HOST_CONFIG = ['ContainerCreate', 'ContainerStart'] as const

/** The HostConfig of a create body, or the body of start, which is one. */
export function hostConfigOf({ body }: RequestMessage, { operation }: StepContext): JsonObject | undefined {
  const hostConfig = operation === 'ContainerCreate' && isObject(body) ? body['HostConfig'] : body
  return isObject(hostConfig) ? hostConfig : undefined
}

/** Whether a value holds only Go's zero values, at any depth: `{"IPAMConfig": null, "Aliases": []}` means the same as `{}`. */
export function saysNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(saysNothing)
}
