import { isObject, isUnset, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { fillFlat, networkingOf } from '../by-hand/network-settings.ts'

/**
 * Fills the flat network members for clients up to 1.20. Runs before the steps, because those of later versions remove
 * NetworkID from the endpoints. Below 1.21 the engine hides Networks and shows the default bridge only, but its list has
 * them at every version (1.10 on; daemon/list.go @v1.10.3).
 */
export async function askForNetworks(message: ResponseMessage, context: EmulationContext): Promise<void> {
  const networking = networkingOf(message.body)
  const id = memberAt(message.body, 'Id')
  if (networking === undefined || typeof id !== 'string') return
  const { settings, state, mode } = networking
  if (isObject(settings['Networks'])) {
    fillFlat(networking, settings['Networks'])
    return
  }
  const without = mode === 'host' || mode === 'none' || mode.startsWith('container:')
  const complete = context.client < 19 && !isUnset(settings['IPAddress']) // 1.18 has no NetworkID
  if (context.engine.highest < 22 || state['Running'] !== true || without || complete) return
  const known = mode === 'bridge' ? context.endpoints?.networkOf(String(settings['EndpointID'])) : undefined
  if (known !== undefined) {
    settings['NetworkID'] = known
    return
  }
  const filters = JSON.stringify({ id: [id] })
  const { status, body } = await context.engineCall('GET', '/containers/json', { query: { filters } })
  if (status >= 400 || !Array.isArray(body)) return // the answer of inspect is better than an error
  const item = body.find((listed) => isObject(listed) && listed['Id'] === id)
  const networks = memberAt(item, 'NetworkSettings', 'Networks')
  if (!isObject(networks)) return
  fillFlat(networking, networks)
  for (const endpoint of Object.values(networks).filter(isObject))
    if (!isUnset(endpoint['EndpointID']) && !isUnset(endpoint['NetworkID']))
      context.endpoints?.learn(String(endpoint['EndpointID']), String(endpoint['NetworkID']))
}
