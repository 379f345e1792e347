import { isObject, memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

export function defaultIsBridge({ body }: RequestMessage): void {
  const config = memberAt(body, 'NetworkingConfig')
  const endpoints = memberAt(config, 'EndpointsConfig')
  if (!isObject(config) || !isObject(endpoints) || !('default' in endpoints)) return
  const { default: first, ...others } = endpoints
  config['EndpointsConfig'] = { bridge: first, ...others }
}
