import { essence, isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** Operations whose request has a HostConfig. */
export const BRINGS_HOST_CONFIG = ['ContainerCreate', 'ContainerStart'] as const

/** The HostConfig of a create body, or the body of start, which is one. */
export function hostConfigOf({ body }: RequestMessage, { operation }: StepContext): JsonObject | undefined {
  const hostConfig = operation === 'ContainerCreate' && isObject(body) ? body['HostConfig'] : body
  return isObject(hostConfig) ? hostConfig : undefined
}

/** Whether a value holds only Go's zero values, at any depth: `{"IPAMConfig": null, "Aliases": []}` means the same as `{}`. */
export const saysNothing = (value: JsonValue | undefined): boolean => essence(value) === undefined
