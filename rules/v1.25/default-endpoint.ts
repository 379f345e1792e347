import { isObject } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

export function defaultIsBridge({ body }: RequestMessage): void {
  const config = isObject(body) ? body['NetworkingConfig'] : undefined
  const endpoints = isObject(config) ? config['EndpointsConfig'] : undefined
  if (!isObject(config) || !isObject(endpoints) || !('default' in endpoints)) return
  const { default: first, ...others } = endpoints
  config['EndpointsConfig'] = { bridge: first, ...others }
}
