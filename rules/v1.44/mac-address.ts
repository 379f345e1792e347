import { ProxyError } from '../../src/api/errors.ts'
import { isObject, isUnset, type JsonObject, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { defaultNetwork, networkOfMode, primaryEndpoint } from '../by-hand/endpoints.ts'
import { olderWords } from '../by-hand/error-words.ts'

const endpointsOf = (create: JsonObject): [string, JsonObject][] =>
  Object.entries(objectOf(memberAt(create, 'NetworkingConfig', 'EndpointsConfig'))).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  )

const modeOf = (create: JsonObject) => memberAt(create['HostConfig'], 'NetworkMode')

/**
 * Moves the container's address to its first endpoint (container_routes.go:handleMACAddressBC), so that the engine sends no
 * deprecation warning. Addresses of endpoints were ignored. With `none` an address has no effect: engine 20.10 accepts it,
 * 28.5 refuses it.
 */
export function macOfFirstEndpoint({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  if (!isObject(body)) return
  for (const [, endpoint] of endpointsOf(body)) {
    if (!isUnset(endpoint['MacAddress'])) context.ignore('EndpointSettings.MacAddress', change.id)
    delete endpoint['MacAddress']
  }
  const mac = body['MacAddress']
  delete body['MacAddress']
  if (mac === undefined || isUnset(mac) || modeOf(body) === 'none') return
  if (networkOfMode(modeOf(body)) === undefined) {
    const { status, text } = olderWords(400, 'conflicting options: mac-address and the network mode', context)
    throw new ProxyError('validation', text, { status })
  }
  const endpoint = primaryEndpoint(body, context.engine.os)
  if (endpoint !== undefined) endpoint['MacAddress'] = mac
}

/** An older engine sets one address, in the first network. */
export function macOfContainer({ body }: RequestMessage, context: StepContext, change: BoundChange): void {
  if (!isObject(body)) return
  const { os } = context.engine
  const endpoints = endpointsOf(body)
  const network = networkOfMode(modeOf(body), os)
  const isFirst = (name: string): boolean =>
    endpoints.length === 1 || name === network || (network === defaultNetwork(os) && name === 'default')
  for (const [name, endpoint] of endpoints) {
    const mac = endpoint['MacAddress']
    delete endpoint['MacAddress']
    if (mac === undefined || isUnset(mac)) continue
    if (isFirst(name)) body['MacAddress'] = mac
    else {
      const what = `EndpointSettings.MacAddress of ${name}`
      context.lose({ what, needs: change.version, change: change.id, onLoss: 'refuse' })
    }
  }
}
