import { isObject, isUnset, type JsonObject, memberAt } from '../../src/api/json/json.ts'
import type { ResponseMessage } from '../../src/translate/message.ts'

function configs({ body }: ResponseMessage): { config: JsonObject; hostConfig: JsonObject } | undefined {
  const config = memberAt(body, 'Config')
  const hostConfig = memberAt(body, 'HostConfig')
  return isObject(config) && isObject(hostConfig) ? { config, hostConfig } : undefined
}

/** Shows the driver in the config, even if empty, as engines 1.9 to 25 do below 1.21. */
export function volumeDriverDown(message: ResponseMessage): void {
  const found = configs(message)
  if (found === undefined) return
  const { config, hostConfig } = found
  if (isUnset(config['VolumeDriver'])) config['VolumeDriver'] = hostConfig['VolumeDriver'] ?? ''
}

export function volumeDriverUp(message: ResponseMessage): void {
  const found = configs(message)
  if (found === undefined) return
  const { config, hostConfig } = found
  if (isUnset(hostConfig['VolumeDriver'])) hostConfig['VolumeDriver'] = config['VolumeDriver'] ?? ''
  delete config['VolumeDriver']
}
