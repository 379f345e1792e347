import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** The endpoints that a create or connect request asks for. */
export function eachEndpoint({ body }: RequestMessage, { operation }: StepContext): JsonObject[] {
  if (!isObject(body)) return []
  if (operation === 'NetworkConnect') return isObject(body['EndpointConfig']) ? [body['EndpointConfig']] : []
  const config = isObject(body['NetworkingConfig']) ? body['NetworkingConfig']['EndpointsConfig'] : undefined
  return isObject(config) ? Object.values(config).filter(isObject) : []
}
