import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from '../../src/api/json/json.ts'
import type { EmulationContext } from '../../src/translate/message.ts'
import { idOf, nameOf } from '../../src/translate/replaced/label.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'
import { endpointLost } from './recreate-body.ts'

/** Why replacing a container would lose something; undefined if it is safe. Changes nothing. */
export async function whyUnsafe(
  context: EmulationContext,
  container: JsonObject,
  merged: JsonObject,
): Promise<string | undefined> {
  const state = objectOf(container['State'])
  if (state['Status'] !== 'created' || state['StartedAt'] !== ZERO_TIME) return 'it has been started before'
  const id = idOf(container)
  const { replacedContainers } = context
  if (replacedContainers?.isWatched({ id: replacedContainers.toClient(id), name: nameOf(container) }))
    return 'a client is attached to it, waits for it or follows it, and would be cut off'
  const lost = endpointLost(container, merged)
  if (lost !== undefined) return `it would leave a network and lose ${lost}`
  const { status, body: changes } = await context.engineCall('GET', `/containers/${id}/changes`)
  if (status !== 200) return 'the engine does not say whether its filesystem is untouched'
  const touched = listOf(changes)
    .flatMap(pathOf)
    .filter((path) => !isMountPoint(path, container))
  if (touched.length > 0)
    return `files were put into it (${touched.slice(0, 3).join(', ')}${touched.length > 3 ? ' …' : ''})`
  return whoDepends(context, container)
}

const pathOf = (change: JsonValue): string[] => (isObject(change) ? [String(change['Path'])] : [])

/** Reading the archive of a container creates the mount points of its volumes, on every engine. */
function isMountPoint(path: string, { Mounts: mounts }: JsonObject): boolean {
  const points = listOf(mounts)
    .filter(isObject)
    .map((mount) => String(mount['Destination']))
  return points.some((point) => point === path || point.startsWith(`${path}/`))
}

/** Finds a container that depends on this one: a link is a further name of its target, a shared network names the id. */
async function whoDepends(context: EmulationContext, container: JsonObject): Promise<string | undefined> {
  const { body } = await context.engineCall('GET', '/containers/json', { query: { all: '1' } })
  for (const other of Array.isArray(body) ? body.filter(isObject) : []) {
    const names = Array.isArray(other['Names']) ? other['Names'].map(String) : []
    const host = objectOf(other['HostConfig'])
    const linked = names.find((name) => name.lastIndexOf('/') > 0)
    if (other['Id'] === container['Id'] && linked !== undefined) return `another container is linked to it (${linked})`
    if (host['NetworkMode'] === `container:${idOf(container)}`) return `${names[0]} shares its network`
  }
  return undefined
}
