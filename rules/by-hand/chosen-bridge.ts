import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { objectAt } from './endpoints.ts'

/**
 * From 26.0 on engines keep the mode "default" as "bridge". A bridge that was asked for by name is told from it by the endpoint's
 * DriverOpts, an empty object instead of null: engines keep both as they got them (daemon/container_operations.go, seen on 28.5),
 * until the container leaves the network or is made again.
 */
export function markChosenBridge({ body }: RequestMessage, { client, engine }: StepContext): void {
  // Clients up to 1.19 are shown bridge in any case.
  if (client < 20 || engine.os === 'windows') return
  if (!isObject(body) || memberAt(body, 'HostConfig', 'NetworkMode') !== 'bridge') return
  const config = body['NetworkingConfig']
  const given = memberAt(config, 'EndpointsConfig')
  // The engine refuses another type, and reads null as unset.
  if (![config ?? {}, given ?? {}].every(isObject)) return
  if (Object.entries(given ?? {}).some(([name, endpoint]) => name !== 'bridge' || !isObject(endpoint))) return
  const endpoint = objectAt(objectAt(objectAt(body, 'NetworkingConfig'), 'EndpointsConfig'), 'bridge')
  endpoint['DriverOpts'] ??= {}
}

/** Whether the bridge of an inspected container was asked for by name. */
export function isChosenBridge(container: JsonValue | undefined): boolean {
  const options = memberAt(container, 'NetworkSettings', 'Networks', 'bridge', 'DriverOpts')
  return isObject(options) && Object.keys(options).length === 0
}

/** Shows such DriverOpts as null, as those of any other endpoint without options. */
export function hideMark({ body }: ResponseMessage): void {
  const endpoint = memberAt(body, 'NetworkSettings', 'Networks', 'bridge')
  if (isChosenBridge(body) && isObject(endpoint)) endpoint['DriverOpts'] = null
}
