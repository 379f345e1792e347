import { isObject, isUnset, type JsonObject } from '../../src/api/json/json.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'

function configs({ body }: ResponseMessage): { config: JsonObject; hostConfig: JsonObject } | undefined {
  const config = isObject(body) ? body['Config'] : undefined
  const hostConfig = isObject(body) ? body['HostConfig'] : undefined
  return isObject(config) && isObject(hostConfig) ? { config, hostConfig } : undefined
}

/**
 * The driver in the config. Engine 1.7 shows it always, 1.8 only when it is set (recordings at 1.19 and 1.20); the newer
 * engines, asked for 1.20, show it always as well: an empty one is taken out for a client of 1.8's version.
 */
export function volumeDriverDown(message: ResponseMessage, { client }: StepContext): void {
  const found = configs(message)
  if (found === undefined) return
  const { config, hostConfig } = found
  if (isUnset(config['VolumeDriver'])) config['VolumeDriver'] = hostConfig['VolumeDriver'] ?? ''
  if (client === 20 && isUnset(config['VolumeDriver'])) delete config['VolumeDriver']
}

export function volumeDriverUp(message: ResponseMessage): void {
  const found = configs(message)
  if (found === undefined) return
  const { config, hostConfig } = found
  if (isUnset(hostConfig['VolumeDriver'])) hostConfig['VolumeDriver'] = config['VolumeDriver'] ?? ''
  delete config['VolumeDriver']
}
